// A button that copies what stands in a field. Without script, or without leave, the field is marked and copied by hand.
"use strict";

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  const field = document.getElementById(button.dataset.copy);
  const said = document.getElementById(button.dataset.copy + "-copied");
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      said.textContent = "Copied.";
    } catch {
      field.select();
      said.textContent = "Your browser blocked copying. The text is selected: copy it yourself.";
    }
  });
}
