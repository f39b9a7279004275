// What pages need in addition to htmx: the dialog with a section's text, and saving that survives a lost sign-in.
"use strict";

const byId = (id) => document.getElementById(id);
const cookie = (name) => document.cookie.split("; ").find((one) => one.startsWith(name + "="))?.split("=")[1];

// A form may be older than the last sign-in (in another tab): it always carries the present token.
const refreshTokens = () => {
  const token = cookie("__Host-csrftoken") ?? cookie("csrftoken"); // in service; in the demonstration
  if (token) document.querySelectorAll("input[name=csrfmiddlewaretoken]").forEach((input) => { input.value = token; });
};
document.addEventListener("submit", refreshTokens, true);
document.addEventListener("htmx:confirm", refreshTokens);

// The text of a section opens over the page; without script the link leads to it.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "section-body") return;
  const dialog = byId("section-dialog");
  if (!dialog.open) dialog.showModal();
  byId("section-body").scrollTop = 0;
});

// Saving: say what could not be saved, keep what was typed, offer to save it again.
const banners = { 401: "signed-out", 403: "signed-out", 412: "other-property", 507: "no-room" };
const show = (id) => {
  const banner = byId(id) ?? byId("not-reached");
  if (banner.hidden) {
    banner.hidden = false;
    banner.scrollIntoView({ block: "nearest" });
  }
  const saved = byId("saved");
  if (!saved) return;
  saved.textContent = "Not saved yet.";
  saved.classList.add("saved--not"); // hides "Ready to file."
};
const withScript = byId("saved")?.dataset.withScript;
if (withScript) byId("saved").textContent = withScript;
byId("checklist")?.addEventListener("input", () => byId("saved")?.classList.add("saved--not")); // until it is saved
document.addEventListener("htmx:responseError", (event) => show(banners[event.detail.xhr.status] ?? "not-reached"));
document.addEventListener("htmx:sendError", () => show("not-reached"));
document.addEventListener("htmx:afterRequest", (event) => {
  if (!event.detail.successful) return;
  byId("signed-out").hidden = true;
  byId("not-reached").hidden = byId("no-room").hidden = true;
  if (byId("other-property")) byId("other-property").hidden = true;
});
for (const id of ["try-again", "try-later", "try-with-room", "save-again"]) {
  byId(id)?.addEventListener("click", () => {
    const form = byId("checklist");
    if (form) htmx.trigger(form, "again");
    else location.reload();
  });
}

// Enter in a text line saves that line; it does not jump to another page.
byId("checklist")?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches("input[type=text]")) {
    event.preventDefault();
    htmx.trigger(byId("checklist"), "again");
  }
});

// Inputs say that they are wrong as soon as their findings do.
document.addEventListener("htmx:oobAfterSwap", (event) => {
  const key = event.detail.target?.id?.startsWith("findings-") ? event.detail.target.id.slice(9) : null;
  const input = key && byId("input-" + key);
  if (input) input.setAttribute("aria-invalid", String(Boolean(byId("findings-" + key).querySelector(".finding--blocking"))));
});

// A link to something folded up opens it.
const unfold = () => {
  const target = location.hash.length > 1 && byId(location.hash.slice(1));
  if (!target) return;
  const around = target.closest("details") ?? target.querySelector(":scope > section > .fold");
  if (around) around.open = true;
};
window.addEventListener("hashchange", unfold);
unfold();

// A form that takes longer than a second says so, and for how long; a screen reader says it once.
let ticking;
const wait = () => {
  const [status, begun, seconds] = [byId("working"), Date.now(), document.createElement("span")];
  seconds.setAttribute("aria-hidden", "true");
  clearInterval(ticking);
  ticking = setInterval(() => {
    if (status.hidden) {
      status.hidden = false;
      status.replaceChildren("Working. Please wait. ", seconds);
    }
    seconds.textContent = Math.round((Date.now() - begun) / 1000) + " s so far";
  }, 1000);
};
document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented && event.target.method === "post" && !event.target.target) wait();
});
window.addEventListener("pageshow", () => {
  clearInterval(ticking);
  byId("working").hidden = true;
});

// Files: a field to drop them on, in the place of the browser's own; its name is shown, and that it is being sent.
const part = (tag, name, ...children) => {
  const element = document.createElement(tag);
  element.className = name;
  element.append(...children);
  return element;
};
const withDropping = (input) => {
  const words = part("div", "usa-file-input__instructions", part("span", "usa-file-input__drag-text", "Drop the file here or "), part("span", "usa-file-input__choose", "choose it"));
  words.setAttribute("aria-hidden", "true");
  const target = part("div", "usa-file-input__target", words, part("div", "usa-file-input__box"));
  const chosen = part("p", "usa-hint chosen-file");
  chosen.setAttribute("role", "status");
  const field = part("div", "usa-file-input", target);
  input.classList.replace("usa-file-input", "usa-file-input__input");
  input.replaceWith(field, chosen);
  target.append(input);
  field.classList.toggle("usa-file-input--disabled", input.disabled);
  const drag = (isOver) => () => field.classList.toggle("usa-file-input--drag", isOver);
  for (const [name, isOver] of [["dragenter", true], ["dragover", true], ["dragleave", false], ["drop", false]]) input.addEventListener(name, drag(isOver));
  const size = (file) => (file.size >= 1e6 ? (file.size / 1e6).toFixed(1) + " MB" : Math.max(1, Math.round(file.size / 1e3)) + " kB");
  const list = () => [...input.files].map((file) => "“" + file.name + "”, " + size(file)).join("; ");
  input.addEventListener("change", () => { chosen.textContent = input.files.length ? "Chosen: " + list() : ""; });
  input.form?.addEventListener("submit", () => { if (input.files.length) chosen.textContent = "Sending " + list() + " …"; });
};
const enhanceFiles = (within) => within.querySelectorAll("input.usa-file-input").forEach(withDropping);
document.addEventListener("htmx:load", (event) => enhanceFiles(event.detail.elt.parentElement ?? document));
enhanceFiles(document);
