// The API explorer: Swagger UI for the description that the portal serves. Calls go to the portal that served the page,
// even where the description names another address.
"use strict";

const place = document.getElementById("explorer");

fetch(place.dataset.description, { headers: { Accept: "application/vnd.oai.openapi+json, application/json" } })
  .then((answer) => {
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    return answer.json();
  })
  .then((spec) => {
    spec.servers = [{ url: window.location.origin, description: "This portal" }];
    window.SwaggerUIBundle({
      spec,
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
