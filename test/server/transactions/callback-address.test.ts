import { expect, test } from 'vitest'

import { Secret } from '../../../server/config/secret.ts'
import { createCallbackTokens } from '../../../server/transactions/callback-address.ts'

const REFERENCE = '8d2f6a52-7f0d-4c5e-9b3a-2f1f6f1b7c11'
const tokens = createCallbackTokens('checkout', [new Secret('the key')])

test("a callback's address contains the reference that it was created for", () => {
  for (const reference of [REFERENCE, 'with.dots.in.it']) {
    expect(tokens.read(tokens.create(reference))).toBe(reference)
  }
})

// A framework that adds a slash to every path, such as Next with trailingSlash, leaves the names of files: their
// extensions have word characters alone. The gateway follows no redirect.
test("a callback's address ends as the name of a file", () => {
  for (const reference of Array.from({ length: 50 }, (_, index) => `A-${index}`)) {
    expect(tokens.create(reference)).toMatch(/\.\w+$/)
  }
})

test("a callback's address cannot be created without the key", () => {
  const digest = tokens.create(REFERENCE).slice(REFERENCE.length + 1)
  const forged = [
    '',
    '.',
    REFERENCE,
    `${REFERENCE}.`,
    `.${digest}`,
    `another.${digest}`,
    `${REFERENCE}.${digest.slice(0, -2)}`,
    `${REFERENCE}.${'A'.repeat(digest.length)}`,
    `${REFERENCE}.${digest}.${digest}`,
    `${REFERENCE}.\u0000${'é'.repeat(16)}`,
  ]
  const ofPayout = createCallbackTokens('payout', [new Secret('the key')]).create(REFERENCE)
  for (const text of [...forged, ofPayout]) {
    expect(tokens.read(text), text).toBeNull()
  }
})
