/**
 * The keys by which references and account numbers are compared: two with the same key are the same, however they are
 * written.
 */

/** Returns the key of a reference: case does not make another one. [assumed] */
export const referenceKey = (reference: string) => reference.toLowerCase()

/**
 * Returns the key of an account number, its letters and digits. [assumed] Spaces, dashes and case make no other account:
 * people and gateways write them, or not.
 */
export const accountKey = (account: string) => account.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
