"""What the token endpoint says of an error. Not here: when it is raised (`oauth`, and Authlib)."""

METHOD = "private_key_jwt"
WORDS = {  # what Authlib says, or the error where it says nothing → what the client did and what is allowed
    "Invalid claim: 'aud'": "The claim aud is another server: it must be the issuer, or its token_endpoint, of "
    "/.well-known/oauth-authorization-server.",
    "The token is expired": "The assertion has expired: the time of its claim exp has passed.",
    "JWT ID is used before.": "This assertion was used before. Its claim jti must be a new text each time.",
    "The client does not exist on this server.": "The claims iss and sub do not name a client with a public key.",
    f"The client cannot authenticate with methods: {[METHOD]}": "The request has no client_assertion. The portal takes "
    "no client_secret.",
    "invalid_scope": "The client does not have every scope that was asked for.",
    "unsupported_grant_type": "The parameter grant_type must be client_credentials.",
    "insecure_transport": "The request was not sent over https.",
}
