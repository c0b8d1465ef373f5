// The certified provider, for tests: `node provider.mjs PORT ISSUER REDIRECTS KEYS CLAIMS`.
import Provider from "oidc-provider";

const [port, issuer, callbacks, keys, people] = process.argv.slice(2);
const claims = JSON.parse(people);
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "pagetrail",
      client_secret: "a-secret-of-the-client",
      redirect_uris: JSON.parse(callbacks),
      backchannel_logout_uri: `${issuer}/logout-of-client`,
      backchannel_logout_session_required: true,
      response_types: ["code"],
      grant_types: ["authorization_code"],
      id_token_signed_response_alg: "RS256",
    },
  ],
  jwks: JSON.parse(keys),
  cookies: { keys: ["tests"] },
  claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
  conformIdTokenClaims: false,
  features: { backchannelLogout: { enabled: true } },
  // Its own dispatcher refuses the loopback, to which the client is told of sign-outs.
  fetch: (url, { dispatcher, ...options }) => fetch(url, options),
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...claims[id] }) }),
  pkce: { required: () => true },
});
provider.proxy = true;
provider.listen(Number(port), "127.0.0.1", () => process.stdout.write("listening\n"));
