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

const place = document.getElementById("explorer");

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
      deepLinking: true,
      docExpansion: "list",
      defaultModelsExpandDepth: -1,
      displayRequestDuration: true,
      filter: true,
      persistAuthorization: false,
      validatorUrl: null,
    });
  })
  .catch((error) => {
    place.textContent = `The description of the API could not be loaded. ${error.message} Load this page again.`;
  });
