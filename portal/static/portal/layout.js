// The drawing of a layout: its size, its markers, marking an area with mouse, finger or keyboard; deciding in sequence.
// Without this script the marking form has four number fields; numbers in list and drawing are links either way.
"use strict";

(() => {
  const EDGES = ["left", "top", "width", "height"];
  const START = { left: 40, top: 45, width: 20, height: 10 }; // in percent of the page
  const SMALLEST = 0.5;
  const MARKERS = "layout-markers"; // in this tab: whether they are shown on the drawings
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const find = (id) => document.getElementById(id);
  const within = (value, least, most) => Math.min(Math.max(value, least), most);

  const boards = () => [...document.querySelectorAll(".marking")];
  const board = () => boards().find((one) => one.dataset.page === find("page").value) ?? boards()[0];
  const number = (name) => {
    const typed = Number.parseFloat(find(name).value);
    return Number.isFinite(typed) ? typed : START[name];
  };
  const area = () => Object.fromEntries(EDGES.map((name) => [name, number(name)]));

  // The area as the four fields say it, on the page that is chosen.
  const paint = () => {
    for (const one of boards()) {
      const shown = one === board() ? area() : { left: 0, top: 0, width: 0, height: 0 };
      for (const shape of one.children) {
        shape.setAttribute("x", `${shown.left}%`);
        shape.setAttribute("y", `${shown.top}%`);
        shape.setAttribute("width", `${Math.max(0, shown.width)}%`);
        shape.setAttribute("height", `${Math.max(0, shown.height)}%`);
      }
    }
  };
  const set = (wanted) => {
    const width = within(wanted.width, SMALLEST, 100);
    const height = within(wanted.height, SMALLEST, 100);
    const kept = { left: within(wanted.left, 0, 100 - width), top: within(wanted.top, 0, 100 - height), width, height };
    for (const name of EDGES) find(name).value = String(Math.round(kept[name] * 10) / 10);
    paint();
  };
  const say = () => {
    const { left, top, width, height } = area();
    find("marking-words").textContent = `${left} % from the left, ${top} % from the top, ${width} % wide, ${height} % high`;
  };

  const arm = (armed) => {
    for (const one of boards()) one.toggleAttribute("hidden", !armed);
    find("marking-keys").hidden = !armed;
    find("marking-draw").setAttribute("aria-pressed", String(armed));
    find("marking-draw").textContent = armed ? "Stop drawing" : "Draw the area";
    if (!armed) return;
    paint();
    board().focus({ preventScroll: true });
    board().scrollIntoView({ block: "nearest" });
  };

  // Where on the page a pointer is, in percent.
  const pointed = (event, on) => {
    const page = on.getBoundingClientRect();
    const share = (at, from, size) => within(((at - from) / size) * 100, 0, 100);
    return [share(event.clientX, page.left, page.width), share(event.clientY, page.top, page.height)];
  };
  let from = null; // where the pointer went down
  document.addEventListener("pointerdown", (event) => {
    const on = event.target.closest?.(".marking");
    if (!on || event.button) return;
    event.preventDefault();
    on.focus({ preventScroll: true });
    on.setPointerCapture(event.pointerId);
    find("page").value = on.dataset.page;
    from = pointed(event, on);
  });
  document.addEventListener("pointermove", (event) => {
    const on = event.target.closest?.(".marking");
    if (!on || !from) return;
    const [x, y] = pointed(event, on);
    const [left, top] = [Math.min(x, from[0]), Math.min(y, from[1])];
    set({ left, top, width: Math.abs(x - from[0]), height: Math.abs(y - from[1]) });
  });
  for (const ending of ["pointerup", "pointercancel"]) {
    document.addEventListener(ending, () => {
      if (from) say();
      from = null;
    });
  }

  document.addEventListener("keydown", (event) => {
    if (!event.target.matches?.(".marking")) return;
    if (event.key === "Enter") {
      event.preventDefault();
      find("marking").requestSubmit();
    } else if (event.key === "Escape") {
      arm(false);
      find("marking-draw").focus();
    } else if (WAYS[event.key]) {
      event.preventDefault();
      const step = event.altKey ? 0.2 : 1;
      const [x, y] = WAYS[event.key].map((way) => way * step);
      const now = area();
      set(event.shiftKey ? { ...now, width: now.width + x, height: now.height + y } : { ...now, left: now.left + x, top: now.top + y });
      say();
    }
  });

  document.addEventListener("input", (event) => {
    if (event.target.closest?.("#marking")) paint();
    if (event.target.id === "markers") sessionStorage.setItem(MARKERS, event.target.checked ? "on" : "off");
  });

  const resize = (button) => {
    for (const one of button.parentElement.children) one.setAttribute("aria-pressed", String(one === button));
    for (const page of document.querySelectorAll(".sheet__page")) {
      page.classList.toggle("sheet__page--2", button.dataset.zoom === "2");
      page.classList.toggle("sheet__page--4", button.dataset.zoom === "4");
    }
  };
  document.addEventListener("click", (event) => {
    const zoom = event.target.closest?.("[data-zoom]");
    const link = event.target.closest?.("[data-mark]");
    if (zoom) resize(zoom);
    if (event.target.closest?.("#marking-draw")) arm(find("marking-draw").getAttribute("aria-pressed") !== "true");
    if (!link || !find("marking")) return;
    event.preventDefault();
    find("element").value = link.dataset.mark;
    arm(true);
  });

  // After a decision the next open element has the focus; after a refusal its reason.
  document.addEventListener("htmx:afterSettle", (event) => {
    const line = event.target;
    if (!line.matches?.(".judging__line")) return;
    const failed = line.querySelector("[aria-invalid]");
    const open = [...document.querySelectorAll(".judging__line--open")];
    const after = open.find((one) => line.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
    const next = after ?? open[0];
    (failed ?? next?.querySelector("button[value=accept]") ?? find("decide")).focus({ preventScroll: true });
    (failed ?? next ?? find("decide")).scrollIntoView({ block: "nearest" });
  });

  // What only works with this script appears with it, also in what is swapped in once the inspection has ended.
  const appear = () => {
    for (const id of ["zoom", "marking-draw"]) if (find(id)) find(id).hidden = false;
    if (find("markers")) find("markers").checked = sessionStorage.getItem(MARKERS) !== "off";
  };
  document.addEventListener("htmx:load", appear);
  appear();
})();
