/**
 * Explains in the console why the element is missing on a page whose Content Security Policy does not allow Lit's
 * Trusted Types policy. Lit then throws while this script loads, so this module has to run before Lit.
 */

/** The name of the policy that Lit creates. */
const POLICY = 'lit-html'

// On a server, there are no events.
globalThis.addEventListener?.('securitypolicyviolation', ({ sample, disposition }) => {
  // Under a policy that only reports, Lit runs.
  if (sample === POLICY && disposition === 'enforce')
    // If the download fails, the browser's own message about the policy stays in the console.
    import('./console.ts').then(({ explainTrustedTypes }) => explainTrustedTypes()).catch(() => {})
})
