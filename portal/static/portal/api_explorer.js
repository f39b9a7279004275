// The API explorer: Swagger UI for the description that the portal serves. Calls go to the portal that served the page,
// even where the description names another address.
"use strict";

// An OAuth 2 client proves who it is with a private key, which no one pastes into a page. Swagger UI would ask for a client
// secret, which the portal does not have. An access token can be pasted in place of the API key.
const withoutOAuth = (spec) => {
  delete spec.components.securitySchemes.oauth;
  for (const operation of Object.values(spec.paths).flatMap((path) => Object.values(path))) {
    if (operation.security) operation.security = operation.security.filter((requirement) => !("oauth" in requirement));
  }
  return spec;
};

// What Swagger UI leaves out for screen readers and keyboard users: selector, and what is done to the element.
const nameOf = (control) => {
  const row = control.closest("tr");
  return row?.dataset.paramName || row?.dataset.propertyName || control.placeholder || "Body of the request";
};
const fixes = [
  ["h3", (heading) => heading.setAttribute("aria-level", "2")],
  ["h4", (heading) => heading.setAttribute("aria-level", "3")],
  ["h5", (heading) => heading.setAttribute("aria-level", "4")],
  ["button a[href]", (link) => link.removeAttribute("href")], // the button around it opens the operation
  ["pre", (code) => code.setAttribute("tabindex", "0")], // to scroll it
  [".close-modal", (button) => button.setAttribute("aria-label", "Close")],
  [".modal-btn.authorize", (button) => button.setAttribute("aria-label", `${button.textContent} with this key`)],
  ["#servers", (control) => control.setAttribute("aria-label", "Server")],
  [".examples-select-element", (control) => control.setAttribute("aria-label", "Example")],
  [
    "select:not([aria-label], #servers), input:not([aria-label]), textarea:not([aria-label])",
    (control) => control.labels?.length || control.setAttribute("aria-label", nameOf(control)),
  ],
  ["[aria-label=auth-bearer-value]", (control) => control.setAttribute("aria-label", "API key or access token")],
];
const applyFixes = (explorer) => {
  for (const [selector, change] of fixes) explorer.querySelectorAll(selector).forEach(change);
};

// Swagger UI's own layout has a <main> and a title. A page may have only one <main>, and this one already has a title.
const withOwnLayout = ({ React }) => {
  const Layout = ({ getComponent }) => {
    const part = (name) => React.createElement(getComponent(name, true), { key: name });
    const group = (name, parts) => React.createElement("div", { key: name, className: name }, parts);
    return group("swagger-ui", [
      React.createElement(getComponent("SvgAssets"), { key: "SvgAssets" }),
      part("errors"),
      group("scheme-container", group("schemes wrapper", [part("ServersContainer"), part("AuthorizeBtnContainer")])),
      part("FilterContainer"),
      group("wrapper", [part("operations"), group("webhooks-container", part("Webhooks"))]),
    ]);
  };
  return { components: { PortalLayout: Layout } };
};

const place = document.getElementById("explorer");
new MutationObserver(() => applyFixes(place)).observe(place, { childList: true, subtree: true });

fetch(place.dataset.description, { headers: { Accept: "application/vnd.oai.openapi+json, application/json" } })
  .then((answer) => {
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    return answer.json();
  })
  .then((spec) => {
    spec.servers = [{ url: window.location.origin, description: "This portal" }];
    window.SwaggerUIBundle({
      spec: withoutOAuth(spec),
      domNode: place,
      layout: "PortalLayout",
      plugins: [withOwnLayout],
      deepLinking: true,
      docExpansion: "list",
      displayRequestDuration: true,
      filter: true,
      syntaxHighlight: { activated: false }, // its colors are too dark to read
      persistAuthorization: false,
      validatorUrl: null,
    });
  })
  .catch((error) => {
    place.textContent = `The description of the API could not be loaded. ${error.message} Load this page again.`;
  });
