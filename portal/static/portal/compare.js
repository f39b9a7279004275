// Two drawings: both move to the place of a change; laid over each other, or only what differs. Without script they
// stand side by side, and the link of a change loads the page with both at its place.
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

const SVG = "http://www.w3.org/2000/svg";
const EDGES = ["x", "y", "width", "height"];

const rectangle = (look, numbers) => {
  const shape = document.createElementNS(SVG, "rect");
  shape.setAttribute("class", look);
  for (const [place, edge] of EDGES.entries()) shape.setAttribute(edge, numbers[place]);
  return shape;
};
const move = (which, place) => {
  for (const view of document.querySelectorAll(`[id^="${which}-"]`)) {
    const [page, box, frames] = place ? place.split("|") : [];
    const here = view.id === `${which}-${page}`;
    view.setAttribute("viewBox", here ? box : view.dataset.whole);
    const drawn = (here && frames ? frames.split(";") : []).map((frame) => frame.split(" "));
    view.querySelector(".crop__frames").replaceChildren(
      ...drawn.flatMap((numbers) => [rectangle("crop__halo", numbers), rectangle("crop__frame", numbers)]),
    );
  }
};
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-change], #whole-drawings");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { change, earlier, later } = link.dataset;
  move("earlier", earlier);
  move("later", later);
  for (const each of document.querySelectorAll("[data-change]")) {
    if (each === link) each.setAttribute("aria-current", "true");
    else each.removeAttribute("aria-current");
  }
  document.getElementById("shown-change").textContent = change ? `Both drawings show change ${change}.` : "Both drawings are shown whole.";
  document.getElementById("whole-drawings").hidden = !change;
  const pages = [earlier, later].filter(Boolean).map((place) => place.split("|")[0]);
  document.getElementById(`later-${pages.at(-1)}`)?.closest(".pair").scrollIntoView({ block: "nearest" });
});
