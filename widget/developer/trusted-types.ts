/**
 * Explains in the console what a page forbids whose Content Security Policy does not allow Lit's Trusted Types policy.
 * Lit's templates then throw when the second file runs, and the button pays by a plain form.
 */

/** The name of the policy that Lit creates. */
const POLICY = 'lit-html'

let isTold = false

// On a server, there are no events.
globalThis.addEventListener?.('securitypolicyviolation', ({ sample, disposition }) => {
  // Under a policy that only reports, Lit runs.
  if (isTold || sample !== POLICY || disposition !== 'enforce') return
  isTold = true
  // If the download fails, the browser's own message about the policy stays in the console.
  import('./console.ts').then(({ explainTrustedTypes }) => explainTrustedTypes()).catch(() => {})
})
