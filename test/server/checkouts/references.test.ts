import { expect, test } from 'vitest'

import { deriveReferences } from '../../../server/checkouts/references.ts'
import { Secret } from '../../../server/config/secret.ts'
import { createFingerprints } from '../../../server/privacy/personal.ts'

import type { MerchantAccount } from '../../../server/store/merchant-account.ts'

const created = (account: MerchantAccount, ...secrets: [string, ...string[]]) => {
  const [current, ...previous] = secrets
  const keys = [new Secret(current), ...previous.map((text) => new Secret(text))] as const
  return (store: number, order: string, attempt: number) =>
    deriveReferences(createFingerprints(keys), { account, store, order }, attempt)
}

test('a reference has the shape of a random UUID, and is derived again under the current and the previous secret', () => {
  const [before] = created('sandbox', 'the old one')(7, 'A-1', 1)
  expect(before).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
  const [during, ...others] = created('sandbox', 'the new one', 'the old one')(7, 'A-1', 1)
  expect(others).toEqual([before])
  expect(created('sandbox', 'the new one')(7, 'A-1', 1)).toEqual([during])
})

test('an order has one reference in every case', () => {
  const derive = created('sandbox', 'a secret')
  expect(derive(7, 'INV-1a', 2)).toEqual(derive(7, 'inv-1A', 2))
})

test('orders, attempts, environments, stores and secrets have references of their own', () => {
  const references = [
    created('sandbox', 'a secret')(7, 'A-1', 1),
    created('sandbox', 'a secret')(7, 'A-1', 2),
    created('sandbox', 'a secret')(7, 'A-11', 1),
    created('sandbox', 'a secret')(7, 'A-1,1', 1),
    created('sandbox', 'a secret')(71, 'A-1', 1),
    created('production', 'a secret')(7, 'A-1', 1),
    created('sandbox', 'another')(7, 'A-1', 1),
  ].flat()
  expect(new Set(references).size).toBe(7)
})
