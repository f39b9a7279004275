// Two drawings laid over each other: how much of the later one shows, or only what differs. Without script: side by side.
"use strict";

for (const pair of document.querySelectorAll("[data-pair]")) {
  const ways = pair.querySelector(".pair__ways");
  if (!ways) continue;
  const later = pair.querySelector(".pair__sheet--later");
  const fade = pair.querySelector("input[type=range]");
  const chosen = () => pair.querySelector("input[type=radio]:checked").value;
  const show = () => {
    const way = chosen();
    pair.classList.toggle("pair--over", way !== "beside");
    pair.classList.toggle("pair--apart", way === "apart");
    pair.querySelector(".pair__fade").hidden = way !== "over";
    pair.querySelector(".pair__hint").hidden = way !== "apart";
    later.style.opacity = way === "over" ? fade.value / 100 : "";
    fade.setAttribute("aria-valuetext", `${fade.value} % of the later drawing`);
    pair.querySelector("output").textContent = `${fade.value} %`;
  };
  ways.hidden = false;
  ways.addEventListener("input", show);
  show();
}
