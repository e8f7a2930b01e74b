import { expect, test } from 'vitest'

import { airtime, manyRecipients } from '../../../support/spec/airtime.ts'
import { b2bPayout, localPayout, transfer } from '../../../support/spec/payouts.ts'
import { createApiWorld } from '../../../support/worlds/api-world.ts'
import { CHARGE } from '../../../support/worlds/chargeable.ts'

type Body = Record<string, unknown>
type Rule = [wrong: unknown, rule: RegExp]

const OPTIONAL = [
  ...'sender_middle_name sender_document_type sender_document_number sender_phone_number'.split(' '),
  ...'recipient_first_name recipient_middle_name recipient_last_name recipient_document_type'.split(' '),
  ...'recipient_document_number'.split(' '),
]
const PAYOUTS: [path: string, request: Body, optional: string[]][] = [
  ['/payouts', localPayout, ['recipient_bank_code']],
  ['/payouts/imt', transfer, [...OPTIONAL, 'recipient_bank_code']],
  ['/payouts/b2b', b2bPayout, []],
]

const LENGTHS: Record<string, number> = {
  payout_reference: 64,
  service_code: 32,
  recipient_first_name: 100,
  recipient_last_name: 100,
  recipient_account_number: 64,
  recipient_account_name: 100,
  recipient_bank_code: 32,
  destination_name: 100,
  payment_description: 255,
  sender_first_name: 100,
  sender_last_name: 100,
  recipient_occupation: 100,
  income_source: 100,
  fund_purpose: 100,
  payment_account_reference: 64,
  recipient_name: 100,
}

const AMOUNT: Rule[] = [
  ...['0', '0.00', '-5'].map((wrong): Rule => [wrong, /^must be more than zero/]),
  ...['a lot', '1e3', '1,500', '9'.repeat(19)].map((wrong): Rule => [wrong, /^must be a decimal number/]),
]
const COINS = ['1500.005', '25.000'].map((wrong): Rule => [
  wrong,
  /^must have at most 2 fraction digits in KES$/,
])
const ABSENT: Rule[] = [[undefined, /^is required$/], ...['', '   ', null].map((wrong): Rule => [wrong, /./])]
const CURRENCY = /^must be an ISO 4217 code/
const IMPOSSIBLE = ['254700000', '+256 7000 00000 1', '999700000001'].map((wrong): Rule => [
  wrong,
  /^must have as many digits/,
])
const RULES: Record<string, Rule[]> = {
  payout_reference: [
    ...['.', '..'].map((wrong): Rule => [wrong, /^must not be "\." or "\.\."$/]),
    ...['a\nb', 'a\u0000b', 'a\ud800b', '漢', 'a  b'].map((wrong): Rule => [
      wrong,
      /^must have only printable ASCII characters and single spaces within, not U\+/,
    ]),
  ],
  destination_type: [['CASH', /^must be one of /]],
  sender_type: [['PERSON', /^must be one of /]],
  recipient_type: [['PERSON', /^must be one of /]],
  payment_method: [['BANK', /^must be MOMO_B2B for PAYBILL and TILL/]],
  recipient_phone_number: [
    ['12', /^must be a phone number/],
    ['not a number', /^must be a phone number/],
    ['1'.repeat(26), /^must be at most 25 characters/],
    ...IMPOSSIBLE,
  ],
  sender_phone_number: IMPOSSIBLE,
  source_currency: [['Shillings', CURRENCY]],
  destination_currency: [['kes', CURRENCY]],
  currency_code: [['', CURRENCY]],
  country_code: ['KE', 'KEX', 'ken'].map((wrong): Rule => [wrong, /^must be an ISO 3166-1 alpha-3 code/]),
  sender_country_code: ['Kenya', 'KX', 'KEX', 'ke'].map((wrong): Rule => [
    wrong,
    /^must be an ISO 3166-1 code/,
  ]),
  exchange_rate: AMOUNT,
  sender_amount: [...AMOUNT, ...COINS],
  recipient_amount: [...AMOUNT, ...COINS],
  amount: [...AMOUNT, ...COINS],
}

/** Sorts a list of errors. The order of errors means nothing. */
const byPath = (errors: unknown) =>
  Array.isArray(errors) ? errors.toSorted((a, b) => a.path.localeCompare(b.path)) : errors

async function expectRefused(path: string, refusals: (readonly [body: unknown, errors: unknown])[]) {
  const shop = await createApiWorld()
  for (const [body, errors] of refusals) {
    const answer = await shop.post(path, body)
    const { code, errors: answered } = answer.body
    const facts = [answer.status, answer.headers.get('content-type'), code, byPath(answered)]
    const expected = [422, 'application/problem+json', 'invalid_request', byPath(errors)]
    expect(facts, JSON.stringify(body).slice(0, 2_000)).toEqual(expected)
  }

  expect(shop.gatewayRequests()).toEqual([])
  expect(await shop.rows()).toEqual([])
}

test.each(PAYOUTS)('%s names each wrong field and its rule', async (path, request, optional) => {
  const required = Object.keys(request).filter((field) => !optional.includes(field))
  const refusals = Object.keys(request).flatMap((field) => {
    const most = LENGTHS[field] ?? 0
    const rules: Rule[] = [
      ...[true, {}, ['x'], { toString: 1 }].map((wrong): Rule => [wrong, /./]),
      ...(required.includes(field) ? ABSENT : []),
      ...(most
        ? [['x'.repeat(most + 1), new RegExp(`^must be at most ${most} characters$`)] satisfies Rule]
        : []),
      ...(RULES[field] ?? []),
    ]
    return rules.map(([wrong, rule]) => {
      const error = { path: field, message: expect.stringMatching(rule) }
      return [{ ...request, [field]: wrong }, expect.arrayContaining([error])] as const
    })
  })
  const all = required.map((field) => ({ path: field, message: 'is required' }))
  await expectRefused(path, [...refusals, [{}, all]])
})

test.each(PAYOUTS)(
  '%s takes an optional field that is null or blank as left out',
  async (path, request, optional) => {
    const shop = await createApiWorld()
    for (const field of optional) {
      const { [field]: _, ...without }: Body = { ...request, payout_reference: field }
      expect((await shop.post(path, without)).status).toBe(201)
      for (const absent of [null, '', '   ']) {
        expect(await shop.post(path, { ...without, [field]: absent }), `${field} ${absent}`).toMatchObject({
          status: 200,
        })
      }
    }

    for (const row of await shop.rows()) {
      expect(JSON.stringify(row)).not.toContain(`"${row.reference}":`)
    }
  },
)

test('fields that depend on another are refused by name', async () => {
  const bankCode = [{ path: 'recipient_bank_code', message: 'is required when destination_type is BANK' }]
  await expectRefused('/payouts', [
    [{ ...localPayout, destination_type: 'BANK' }, bankCode],
    [
      { ...localPayout, destination_currency: 'UGX', recipient_amount: '41607.50' },
      [{ path: 'recipient_amount', message: 'must have no fraction in UGX' }],
    ],
    [
      { ...localPayout, source_currency: 'XOF', sender_amount: '0.5' },
      [{ path: 'sender_amount', message: 'must have no fraction in XOF' }],
    ],
  ])
  await expectRefused('/payouts/imt', [[{ ...transfer, destination_type: 'BANK' }, bankCode]])
})

const AMOUNT_RULE = 'must be sender_amount times exchange_rate, which is '

test('amounts that are not those of their rate are refused by name, beyond what rounding explains', async () => {
  const errors = (exact: string) => [{ path: 'recipient_amount', message: AMOUNT_RULE + exact }]
  const amounts = (sender_amount: string, recipient_amount: string, exchange_rate = '1') => ({
    sender_amount,
    recipient_amount,
    exchange_rate,
  })
  const abroad = { ...transfer, destination_currency: 'UGX' }
  await expectRefused('/payouts', [
    [{ ...localPayout, ...amounts('99999', '1000') }, errors('99999')],
    [{ ...localPayout, ...amounts('1000', '1000.10') }, errors('1000')],
    // Nothing is rounded within a currency.
    [{ ...localPayout, ...amounts('1000', '1000.01') }, errors('1000')],
    ...['10', '0.5', '1.01'].map(
      (rate) =>
        [
          { ...localPayout, ...amounts('100', String(100 * Number(rate)), rate) },
          [{ path: 'exchange_rate', message: 'must be 1 from KES to KES' }],
        ] as const,
    ),
  ])
  await expectRefused('/payouts/imt', [
    [{ ...abroad, ...amounts('1500', '1500', '28.1') }, errors('42150')],
    [{ ...abroad, ...amounts('1500.55', '42167', '28.1') }, errors('42165.455')],
  ])
  const shop = await createApiWorld()
  for (const [index, recipient_amount] of ['42165', '42166'].entries()) {
    const request = { ...abroad, ...amounts('1500.55', recipient_amount, '28.1') }
    const { body } = await shop.post('/payouts/imt', { ...request, payout_reference: `P-${index}` })
    expect(body.errors).toBeUndefined()
  }
})

test('a field of a form that is repeated is refused by name', async () => {
  const shop = await createApiWorld()
  const form = new URLSearchParams({ ...localPayout, sender_amount: '1000', recipient_amount: '1000' })
  form.append('sender_amount', '99999')
  const { status, body } = await shop.post('/payouts', form.toString(), 'application/x-www-form-urlencoded')
  expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ path: 'sender_amount' }] })
  expect(await shop.rows()).toEqual([])
})

test.each<[path: string, request: Body, fields: string[]]>([
  ['/payouts', localPayout, ['recipient_phone_number', 'recipient_account_number']],
  ['/payouts/imt', transfer, ['sender_phone_number', 'recipient_phone_number', 'recipient_account_number']],
  ['/charges', CHARGE, ['originator_msisdn', 'payer_msisdn']],
])('%s sends a phone number in one form, however it is written', async (path, request, fields) => {
  const number = '254700000001'
  const numbers = Object.fromEntries(fields.map((field) => [field, number]))
  for (const typed of ['+254 (0) 700 000 001', '00254\u20110700000001', '\u202a254 ٧٠٠ 000 001\u202c']) {
    const shop = await createApiWorld()
    const written = Object.fromEntries(fields.map((field) => [field, typed]))
    expect((await shop.post(path, { ...request, ...written })).status).toBe(201)
    expect(JSON.parse(shop.gatewayBodies().at(-1) ?? '')).toMatchObject(numbers)
    expect((await shop.post(path, { ...request, ...numbers })).status).toBe(200)
  }
})

test.each([
  ['MOBILE', '+254 0711 222 333', '254711222333'],
  ['MOBILE', '2540711222333', '2540711222333'],
  ['MOBILE', 'WALLET-7', 'WALLET-7'],
  ['BANK', '+254 0700 000 001', '+254 0700 000 001'],
])('a %s account of the number %s has the number %s', async (destination_type, typed, sent) => {
  const shop = await createApiWorld()
  const fields = { destination_type, recipient_account_number: typed, recipient_bank_code: '68' }
  expect((await shop.post('/payouts', { ...localPayout, ...fields })).status).toBe(201)
  expect(JSON.parse(shop.gatewayBodies().at(-1) ?? '').recipient_account_number).toBe(sent)
})

test('a charge is refused by field, and its splits by entry', async () => {
  const split = (fields: object = {}) => ({ account: 'PARTNER-001', amount: 1, reason: 'Cloth', ...fields })
  const splits = (list: unknown) => ({ extra_data: { split_settlements: list } })
  const refusals: [fields: object, path: string, message: string][] = [
    [{ external_reference: '..' }, 'external_reference', ''],
    [{ amount: '1000.005' }, 'amount', ''],
    [{ extra_data: { redirect_url: 'somewhere' } }, 'extra_data.redirect_url', ''],
    // The shares of PARTNER_ACCOUNTS_DYNAMIC cannot be added to text.
    [{ extra_data: 'table 7' }, 'extra_data', ''],
    [splits([split(), split({ amount: -1 })]), '[1].amount', 'must be more than zero'],
  ]
  await expectRefused(
    '/charges',
    refusals.map(([fields, path, message]) => [
      { ...CHARGE, ...fields },
      message
        ? [{ path: `extra_data.split_settlements${path}`, message }]
        : [{ path, message: expect.any(String) }],
    ]),
  )
})

test('airtime is refused by field, and its recipients by place', async () => {
  const reference = 'A-1'
  const recipients = airtime.recipients
  const twice: object[] = manyRecipients(5000)
  twice[4999] = { phone_number: '+254 (0)700-000-000', amount: '5' }
  const none = Array.from({ length: 100_001 }, () => 0)
  const long = { reference: 'x'.repeat(63), recipients: manyRecipients(1001) }
  const refusals: [body: unknown, path: string, message: string][] = [
    [{ recipients }, 'reference', 'is required'],
    [{ reference, recipients: [] }, 'recipients', 'must have at least 1 recipient'],
    [long, 'reference', 'must be at most 62 characters for 2 requests to the gateway'],
    [{ reference, recipients: none }, 'recipients', 'must have at most 100000 recipients'],
    [{ reference, recipients: twice }, 'recipients[4999].phone_number', 'is the same as recipients[0]'],
  ]
  await expectRefused(
    '/airtime',
    refusals.map(([body, path, message]) => [body, [{ path, message }]]),
  )
})

test.each([
  ['/payouts?outcom=failed', 'outcom', 'did you mean outcome'],
  ['/checkouts?Outcome=unpaid', 'Outcome', 'did you mean outcome'],
  ['/events?outcome=paid', 'outcome', 'known are cursor'],
  ['/fx?base_currency=KES&base=KES', 'base', 'known are base_currency'],
  ['/payouts/WAGES-1?expand=result', 'expand', 'nothing is'],
  ['/history/WAGES-1?__proto__=1', '__proto__', 'nothing is'],
])('a parameter that a route does not have is refused by its name: %s', async (path, name, cure) => {
  const shop = await createApiWorld()
  const answer = await shop.api(path)
  const { code, errors } = await answer.json()
  expect({ status: answer.status, code }).toEqual({ status: 422, code: 'invalid_request' })
  expect(errors).toEqual([{ path: name, message: `is not known here: ${cure}` }])
})

const split = { account: 'PARTNER-001', amount: 1, reason: 'Cloth' }

test.each<[route: string, request: Body, fields: Body, path: string, cure: string | RegExp]>([
  [
    '/payouts',
    localPayout,
    { recipient_bank_cod: '68' },
    'recipient_bank_cod',
    'did you mean recipient_bank_code',
  ],
  [
    '/payouts',
    localPayout,
    { callback_url: 'https://shop.example' },
    'callback_url',
    /^known are payout_reference, /,
  ],
  [
    '/payouts/imt',
    transfer,
    { recipientBankCode: '68' },
    'recipientBankCode',
    'did you mean recipient_bank_code',
  ],
  ['/payouts/b2b', b2bPayout, { _method: 'post' }, '_method', /^known are payout_reference, /],
  ['/charges', CHARGE, { payment_method: 'MOMO_KEN' }, 'payment_method', /^known are external_reference, /],
  ['/charges', CHARGE, { split_settlements: [split] }, 'split_settlements', /^known are .*, extra_data, /],
  [
    '/charges',
    CHARGE,
    { extra_data: { split_settlement: [split] } },
    'extra_data.split_settlement',
    'did you mean split_settlements',
  ],
  [
    '/charges',
    CHARGE,
    { extra_data: { split_settlements: [{ ...split, currency: 'UGX' }] } },
    'extra_data.split_settlements[0].currency',
    'known are account, amount, reason',
  ],
  [
    '/airtime',
    airtime,
    { recipients: [...airtime.recipients, { phone_number: '254700000009', ammount: '5' }] },
    `recipients[${airtime.recipients.length}].ammount`,
    'did you mean amount',
  ],
  [
    '/charges/C-1/acknowledge',
    { status: 'FAILED', narration: 'Sold out' },
    { reason: '' },
    'reason',
    /^known are /,
  ],
  [
    '/payouts/W-1/resolve',
    { says: 'paid', by: 'Asha', note: 'T-1' },
    { notes: 'T-2' },
    'notes',
    /^known are /,
  ],
])(
  '%s refuses an unknown field by its name, and sends nothing: %#',
  async (route, request, fields, path, cure) => {
    const shop = await createApiWorld()
    const { status, body } = await shop.post(route, { ...request, ...fields })
    const message =
      typeof cure === 'string'
        ? `is not known here: ${cure}`
        : expect.stringMatching(new RegExp(`^is not known here: ${cure.source.replace('^', '')}`))
    expect({ status, code: body.code, errors: body.errors }).toEqual({
      status: 422,
      code: 'invalid_request',
      errors: [{ path, message }],
    })
    expect({ rows: await shop.rows(), gatewayBodies: shop.gatewayBodies() }).toEqual({
      rows: [],
      gatewayBodies: [],
    })
  },
)

test('extra_data of a charge may have any field of the merchant', async () => {
  const shop = await createApiWorld()
  const extra_data = { table: '7', split: 'no', redirect: 1, nested: { split_settlement: 1 } }
  expect((await shop.post('/charges', { ...CHARGE, extra_data })).status).toBe(201)
  expect(JSON.parse(shop.gatewayBodies().at(-1) ?? '').extra_data).toMatchObject(extra_data)
})

test('a parameter that is repeated is refused by its name', async () => {
  const shop = await createApiWorld()
  const answer = await shop.api('/payouts?outcome=failed&outcome=pending')
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({
    errors: [{ path: 'outcome', message: 'must not be repeated' }],
  })
})
