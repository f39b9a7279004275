// Confirming a signature with a passkey: the browser answers a challenge of the portal, the form carries the answer.
// Also says in words what went wrong on the sign-in's own pages, where allauth's script talks to the browser.
"use strict";

const passkeyStatus = (words) => {
  const status = document.getElementById("passkey-status");
  if (status) status.textContent = words;
};
const FAILED = "Your passkey did not work. Try again, or enter a code.";

const showPasskeyButtons = () => {
  if (!window.PublicKeyCredential) return;
  for (const button of document.querySelectorAll("[data-passkey-options], .passkey[hidden]")) button.hidden = false;
};
showPasskeyButtons();
document.addEventListener("htmx:afterSwap", showPasskeyButtons);

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-passkey-options]");
  if (!button) return;
  button.disabled = true;
  try {
    const answer = await fetch(button.dataset.passkeyOptions, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const credential = await window.webauthnJSON.get(await answer.json());
    document.getElementById("confirm-passkey").value = JSON.stringify(credential);
    passkeyStatus("Passkey accepted. Now submit this form.");
  } catch {
    passkeyStatus(FAILED);
  }
  button.disabled = false;
});

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  passkeyStatus(FAILED);
});
