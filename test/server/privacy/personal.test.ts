import { expect, test, describe } from 'vitest'

import { Secret } from '../../../server/config/secret.ts'
import {
  createSealer,
  reseal,
  separatePersonal,
  withPersonal,
  createFingerprints,
} from '../../../server/privacy/personal.ts'
import { createRedactor } from '../../../server/privacy/redactor.ts'
import { openStore } from '../../../server/store/open.ts'
import { HOME, LATER, newRow, NOW } from '../../support/contracts/stored-rows.ts'
import { createSeededRandom } from '../../support/seeded-random.ts'

import type { Purpose } from '../../../server/privacy/personal.ts'

const OLD = new Secret('the value before')
const NEW = new Secret('the new value')
const sealerOf = (first: Secret, ...more: Secret[]) =>
  createSealer([first, ...more], createSeededRandom(1, 'iv'))

const PAYOUT = {
  call: { variant: 'local', request: { recipient_first_name: 'Asha' }, people: ['fingerprint'] },
  response_description: 'Paid to Asha.',
  reported: { payment_status: 700, result: { message: 'Asha' } },
}
const AIRTIME = {
  recipients: [
    { phone_number: '254700000001', amount: '10', reported: { service_status: 602, message: 'To Asha.' } },
    { phone_number: '254700000002', amount: '20', reported: null },
  ],
}

test.each([
  [{ phase: 'any' }, { phase: 'any' }, {}],
  [
    PAYOUT,
    {
      call: { variant: 'local', request: null, people: ['fingerprint'] },
      response_description: null,
      reported: { payment_status: 700, result: null },
    },
    {
      'call.request': { recipient_first_name: 'Asha' },
      response_description: 'Paid to Asha.',
      'reported.result': { message: 'Asha' },
    },
  ],
  [
    AIRTIME,
    {
      recipients: [
        { phone_number: null, amount: '10', reported: { service_status: 602, message: null } },
        { phone_number: null, amount: '20', reported: null },
      ],
    },
    {
      'recipients.0.phone_number': '254700000001',
      'recipients.1.phone_number': '254700000002',
      'recipients.0.reported.message': 'To Asha.',
    },
  ],
  ['a damaged record', 'a damaged record', {}],
])('the personal data of %o are taken out of it', (record, kept, personal) => {
  expect(separatePersonal(record)).toEqual({ record: kept, personal })
})

test.each([PAYOUT, AIRTIME])('%o is stored sealed, and read whole', async (record) => {
  const stored = openStore('sqlite::memory:')
  const store = withPersonal(stored, sealerOf(NEW))
  await store.insert(newRow('a', { record: { phase: 'any' } }))
  expect(await stored.find('a')).toMatchObject({ record: { phase: 'any' }, personal: null })
  expect(await store.commit('a', 1, { at: NOW, record })).toMatchObject({ record })
  const raw = await stored.find('a')
  expect(raw?.record).toEqual(separatePersonal(record).record)
  expect(JSON.stringify(raw)).not.toMatch(/Asha|25470000/)
  for (const found of [await store.find('a'), ...(await store.list(HOME, 'checkout', 'a'))]) {
    expect(found?.record).toEqual(record)
  }

  await store.commit('a', 2, { at: LATER, record: { phase: 'any' } })
  expect(await stored.find('a')).toMatchObject({ personal: null })
})

test('what cannot be decrypted is null, stays as it is stored when the record changes, and can be erased', async () => {
  const stored = openStore('sqlite::memory:')
  await withPersonal(stored, sealerOf(OLD)).insert(newRow('a', { record: PAYOUT }))
  const { personal } = (await stored.find('a'))!
  const told: string[] = []
  const store = withPersonal(stored, sealerOf(NEW), ({ id }) => void told.push(id))
  const found = await store.find('a')
  expect(found?.record).toEqual(separatePersonal(PAYOUT).record)
  await store.commit('a', 1, { at: NOW, record: { ...PAYOUT, settled_at: NOW } })
  expect(await stored.find('a')).toMatchObject({
    personal,
    record: { settled_at: NOW, response_description: null },
  })
  await store.find('a')
  expect(told).toEqual(['a'])
  const recovered = withPersonal(stored, sealerOf(NEW, OLD), ({ id }) => void told.push(id))
  expect((await recovered.find('a'))?.record).toEqual({ ...PAYOUT, settled_at: NOW })
  expect(told).toEqual(['a'])
  await store.erase('a', 2, { record: separatePersonal(PAYOUT).record }, null, [])
  expect(await stored.find('a')).toMatchObject({ version: 3, personal: null })
})

test('an unchanged row is opened once: what is derived from it is computed once, too', async () => {
  const store = withPersonal(openStore('sqlite::memory:'), sealerOf(NEW))
  await store.insert(newRow('a', { record: PAYOUT }))
  const found = await store.find('a')
  expect(await store.find('a')).toBe(found)
  const saved = await store.commit('a', 1, { at: NOW, record: { ...PAYOUT, settled_at: NOW } })
  expect(saved).not.toBe(found)
  expect(await store.find('a')).toBe(saved)
})

test('a record stays one object while only other columns of its row change', async () => {
  const store = withPersonal(openStore('sqlite::memory:'), sealerOf(NEW))
  await store.insert(newRow('a', { record: PAYOUT }))
  const saved = await store.commit('a', 1, { at: NOW, record: { ...PAYOUT, settled_at: NOW } })
  const [claimed] = await store.claimTransactions(HOME, NOW, LATER, 1)
  expect(claimed).toMatchObject({ id: 'a', revision: 3 })
  expect(claimed?.record).toBe(saved?.record)
})

test('a record of which only the personal data change is read with the new ones', async () => {
  const store = withPersonal(openStore('sqlite::memory:'), sealerOf(NEW))
  await store.insert(newRow('a', { record: PAYOUT }))
  await store.find('a')
  const changed = { ...PAYOUT, response_description: 'Paid to Juma.' }
  const saved = await store.commit('a', 1, { at: NOW, record: changed })
  expect(saved?.record).toEqual(changed)
  const [claimed] = await store.claimTransactions(HOME, NOW, LATER, 1)
  expect(claimed?.record).toEqual(changed)
})

test('while a secret is replaced, what the old one has sealed is sealed with the new one', async () => {
  const stored = openStore('sqlite::memory:')
  for (const [id, secret] of [
    ['old', OLD] as const,
    ['new', NEW] as const,
    ['lost', new Secret('lost')] as const,
  ]) {
    await withPersonal(stored, sealerOf(secret)).insert(newRow(id, { record: PAYOUT }))
  }

  const both = sealerOf(NEW, OLD)
  const [earlier] = both.earlierIds
  const sealedBefore = () => stored.listSealed(HOME, 'checkout', earlier!, null, 10)
  expect(await reseal(stored, both, await sealedBefore())).toBe(1)
  expect(await sealedBefore()).toEqual([])
  const store = withPersonal(stored, sealerOf(NEW))
  for (const id of ['old', 'new']) {
    expect((await store.find(id))?.record).toEqual(PAYOUT)
  }

  expect((await store.find('lost'))?.record).toEqual(separatePersonal(PAYOUT).record)
})

test.each([
  ['', null],
  ['x', null],
  ['x'.repeat(200), null],
])('%j is no sealed text', (text, opened) => {
  const sealer = sealerOf(NEW)
  expect(sealer.open(text)).toBe(opened)
  const sealed = sealer.seal({ name: 'Asha' })
  expect(sealer.open(sealed)).toEqual({ name: 'Asha' })
  expect(sealer.open(`${sealed.slice(0, -2)}AA`)).toBeNull()
})

const created = (...secrets: [string, ...string[]]) => {
  const [current, ...previous] = secrets
  return createFingerprints([new Secret(current), ...previous.map((text) => new Secret(text))])
}

test.each<[Purpose, string, string]>([
  ['phone', '254700000123', '+254 700-000-123'],
  ['phone', '254700000123', '\u202a00254 (0)700\u2011000\u2011123\u202c'],
  ['email', 'asha@example.com', ' Asha@Example.COM\u200b '],
  ['account', 'KE12AB34', 'ke12 ab\u201034\u200b'],
  ['terms', '{"a":1}', '{"a":1}'],
  ['attempt', '["A-1",1]', '["A-1",1]'],
])('a fingerprint is the same for each spelling of the same %s', (purpose, one, other) => {
  const fingerprint = (value: string) => created('a secret').of(purpose, value)
  expect(fingerprint(one)).toMatch(/^[\w-]{22}$/)
  expect(fingerprint(other)).toBe(fingerprint(one))
  expect(fingerprint(`${one}0`)).not.toBe(fingerprint(one))
})

test('a fingerprint differs between purposes and between secrets', () => {
  const purposes = ['phone', 'email', 'account', 'terms', 'attempt'] as const
  const values = ['a secret', 'another'].flatMap((secret) =>
    purposes.map((purpose) => created(secret).of(purpose, '254700000123')),
  )
  expect(new Set(values).size).toBe(10)
})

describe('a redactor', () => {
  const redact = createRedactor({
    payer_msisdn: '254700000123',
    payer_name: "Wambui O'Planted (Jr.)",
    payer_email: 'planted@example.com',
  })

  test.each([
    ['Invalid number 0700 000 123.', 'Invalid number ***.'],
    ['call +254-700-000-123, please', 'call ***, please'],
    ['1500 KES from 254700000123', '1500 KES from ***'],
    ["WAMBUI O'PLANTED (JR.) has no wallet", '*** has no wallet'],
    ['No wallet of wambui', 'No wallet of ***'],
    ['mail planted@example.com; no other', 'mail ***; no other'],
    ['another number: 254700000124', 'another number: 254700000124'],
    ['transaction 8254700000123999999', 'transaction 8254700000123999999'],
    ['Wambuis and 77', 'Wambuis and 77'],
    ['', ''],
  ])('a redactor turns %j into %j', (text, redacted) => expect(redact(text)).toBe(redacted))

  test('a redactor without personal data changes nothing', () => {
    expect(createRedactor({})('Asha 254700000123')).toBe('Asha 254700000123')
  })

  test('a redactor takes linear time for long texts', () => {
    const long = '1 '.repeat(50_000)
    expect(redact(long)).toBe(long)
  })
})
