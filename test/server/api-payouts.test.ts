import { describe, expect, test } from 'vitest'
import { createApiWorld } from '../support/api-world.ts'
import { b2bPayout, localPayout, transfer } from '../support/spec-payouts.ts'

const KINDS: { path: string; request: object; optional: string[] }[] = [
  { path: '/payouts', request: localPayout, optional: ['recipient_bank_code'] },
  {
    path: '/payouts/imt',
    request: transfer,
    optional: [
      'sender_middle_name',
      'sender_document_type',
      'sender_document_number',
      'sender_phone_number',
      'recipient_first_name',
      'recipient_middle_name',
      'recipient_last_name',
      'recipient_document_type',
      'recipient_document_number',
      'recipient_bank_code',
    ],
  },
  { path: '/payouts/b2b', request: b2bPayout, optional: [] },
]

/** Longest that each text may be, and one longer is refused. */
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

const WRONG_VALUES: Record<string, [unknown, RegExp][]> = {
  destination_type: [['CASH', /^must be one of /]],
  sender_type: [['PERSON', /^must be one of /]],
  recipient_type: [['PERSON', /^must be one of /]],
  payment_method: [['BANK', /must be MOMO_B2B for PAYBILL and TILL/]],
  recipient_phone_number: [
    ['12', /must be a phone number/],
    ['not a number', /must be a phone number/],
    ['1'.repeat(26), /must be at most 25 characters/],
  ],
  source_currency: [['Shillings', /must be an ISO 4217 code/]],
  destination_currency: [['kes', /must be an ISO 4217 code/]],
  currency_code: [['', /must be an ISO 4217 code/]],
  country_code: [['KE', /must be an ISO 3166-1 alpha-3 code/]],
  sender_country_code: [['Kenya', /must be an ISO 3166-1 code/]],
  ...Object.fromEntries(
    ['exchange_rate', 'sender_amount', 'recipient_amount', 'amount'].map((field) => [
      field,
      [
        ['0', /must be more than zero/],
        ['0.00', /must be more than zero/],
        ['-5', /must be more than zero/],
        ['a lot', /must be a decimal number/],
        ['1e3', /must be a decimal number/],
        ['1,500', /must be a decimal number/],
        ['9'.repeat(19), /must be a decimal number/],
      ] satisfies [unknown, RegExp][],
    ]),
  ),
}
const INEXACT = ['sender_amount', 'recipient_amount', 'amount']

describe.each(KINDS)('$path', ({ path, request, optional }) => {
  const required = Object.keys(request).filter((field) => !optional.includes(field))

  async function refused(body: object) {
    const shop = await createApiWorld()
    const answer = await shop.post(path, body)
    expect(answer.status).toBe(422)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body).toMatchObject({ code: 'invalid_request', retryable: false })
    expect(shop.gatewayRequests()).toEqual([])
    expect(await shop.rows()).toEqual([])
    return answer.body.errors
  }
  const without = (field: string) =>
    Object.fromEntries(Object.entries(request).filter(([name]) => name !== field))

  test.each(required)('%s is required', async (field) => {
    expect(await refused(without(field))).toEqual([{ path: field, message: 'is required' }])
  })

  test.each(optional)(
    '%s may be left out, null or blank, and the gateway gets no field then',
    async (field) => {
      for (const absent of [undefined, null, '', '   ']) {
        const shop = await createApiWorld()
        const sent = await shop.post(path, { ...request, [field]: absent })
        expect(sent, JSON.stringify(absent)).toMatchObject({ status: 201, body: { response_code: 720 } })
        const again = await shop.post(path, without(field))
        expect(again.status).toBe(200)
        const [row] = await shop.rows()
        expect(JSON.stringify(row)).not.toContain(`"${field}"`)
      }
    },
  )

  test.each(Object.keys(request))(
    '%s is not of another type, nor blank or null where required',
    async (field) => {
      const absent = required.includes(field) ? ['', '   ', null] : []
      for (const wrong of [...absent, true, {}, ['x'], { toString: 1 }]) {
        expect(await refused({ ...request, [field]: wrong }), JSON.stringify(wrong)).toMatchObject([
          { path: field },
        ])
      }
    },
  )

  test.each(Object.keys(request).filter((field) => field in LENGTHS))(
    '%s has a longest length',
    async (field) => {
      const most = LENGTHS[field] ?? 0
      expect(await refused({ ...request, [field]: 'x'.repeat(most + 1) })).toEqual([
        { path: field, message: `must be at most ${most} characters` },
      ])
    },
  )

  test.each(Object.keys(request).filter((field) => field in WRONG_VALUES))('%s has a rule', async (field) => {
    for (const [wrong, rule] of WRONG_VALUES[field] ?? []) {
      const errors = await refused({ ...request, [field]: wrong })
      expect(errors, String(wrong)).toContainEqual({ path: field, message: expect.stringMatching(rule) })
    }
  })

  test.each(Object.keys(request).filter((field) => INEXACT.includes(field)))(
    '%s is no finer than its currency has coins',
    async (field) => {
      expect(await refused({ ...request, [field]: '1500.005' })).toEqual([
        { path: field, message: 'must have at most 2 fraction digits in KES' },
      ])
    },
  )

  test('every field that is wrong is named at once', async () => {
    const errors: { path: string }[] = await refused({})
    expect(errors.map((error) => error.path).toSorted()).toEqual(required.toSorted())
  })

  test('what it does not know is ignored, a callback_url of the merchant too', async () => {
    const shop = await createApiWorld()
    const extra = { note: 'x', callback_url: 'https://elsewhere.example', constructor: 1 }
    const { status } = await shop.post(path, { ...request, ...extra })
    expect(status).toBe(201)
    expect(JSON.stringify(await shop.rows())).not.toContain('elsewhere.example')
  })

  test.each([
    ['{', 'The body is not valid JSON.'],
    ['', 'The body is not valid JSON.'],
    ['null', 'body must be an object.'],
    ['7', 'body must be an object.'],
    ['"text"', 'body must be an object.'],
    ['[]', 'body must be an object.'],
    [`${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'body must be an object.'],
  ])('%s is no request', async (text, detail) => {
    const shop = await createApiWorld()
    const { status, body } = await shop.post(path, text)
    expect([status, body.detail]).toEqual([422, detail])
    expect(shop.gatewayRequests()).toEqual([])
  })

  test('prototypes in a body poison nothing', async () => {
    const shop = await createApiWorld()
    const text = `{"__proto__":{"payout_reference":"P"},${JSON.stringify(without('payout_reference')).slice(1)}`
    const { status, body } = await shop.post(path, text)
    expect([status, body.errors]).toEqual([422, [{ path: 'payout_reference', message: 'is required' }]])
  })

  test('a body too large is refused unread', async () => {
    const shop = await createApiWorld()
    const { status, body } = await shop.post(path, { ...request, note: 'x'.repeat(40_000) })
    expect([status, body.code]).toEqual([413, 'too_large'])
  })

  test.each(['.', '..', 'a\nb', 'a\u0000b', 'a\ud800b'])('%j is no reference', async (payout_reference) => {
    expect(await refused({ ...request, payout_reference })).toMatchObject([{ path: 'payout_reference' }])
  })

  test('a reference that makes no callback address is refused', async () => {
    expect(await refused({ ...request, payout_reference: '漢'.repeat(64) })).toEqual([
      { path: 'payout_reference', message: 'is too long for a callback address' },
    ])
  })

  test.each(['INV/2026/001', 'a b?c#d%20', 'Ñandú', '100%'])(
    '%s is sent, called back and found under that reference',
    async (payout_reference) => {
      const shop = await createApiWorld()
      expect((await shop.post(path, { ...request, payout_reference })).status).toBe(201)
      await shop.later(10_000)
      const { body } = await shop.get(`/payouts/${encodeURIComponent(payout_reference)}`)
      expect(body).toMatchObject({ payout_reference, outcome: 'succeeded' })
      const deliveries = await (await shop.sandbox.app.request('/_sandbox/callbacks')).json()
      expect(JSON.stringify(deliveries)).toContain('200')
    },
  )

  test('the same request again answers the same payout, sent once', async () => {
    const shop = await createApiWorld()
    const first = await shop.post(path, request)
    const again = await shop.post(path, { ...request })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body.payout_reference).toBe(first.body.payout_reference)
    expect(shop.gatewayRequests().filter((each) => each.endsWith('/initiate'))).toHaveLength(1)
  })

  test('many at once with one reference are one payout', async () => {
    const shop = await createApiWorld()
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.post(path, request)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9)
    expect(shop.gatewayRequests().filter((each) => each.endsWith('/initiate'))).toHaveLength(1)
  })

  test('another request under the same reference is refused, and the first stays', async () => {
    const shop = await createApiWorld()
    await shop.post(path, request)
    const { status, body } = await shop.post(path, { ...request, payment_description: 'Something else' })
    expect([status, body.code]).toEqual([409, 'reference_reused'])
    expect(await shop.rows()).toHaveLength(1)
  })
})

test('a bank needs its code', async () => {
  const shop = await createApiWorld()
  for (const [path, request] of [
    ['/payouts', localPayout],
    ['/payouts/imt', transfer],
  ] as const) {
    const { status, body } = await shop.post(path, { ...request, destination_type: 'BANK' })
    expect([status, body.errors]).toEqual([
      422,
      [{ path: 'recipient_bank_code', message: 'is required when destination_type is BANK' }],
    ])
  }
})

test('currencies without coins take whole amounts only', async () => {
  const shop = await createApiWorld()
  const toUganda = { ...localPayout, destination_currency: 'UGX', recipient_amount: '41607.50' }
  const { body } = await shop.post('/payouts', toUganda)
  expect(body.errors).toEqual([
    { path: 'recipient_amount', message: 'must have at most 0 fraction digits in UGX' },
  ])
})

test('a form is taken like JSON', async () => {
  const shop = await createApiWorld()
  const form = new URLSearchParams(localPayout).toString()
  const { status, body } = await shop.post('/payouts', form, 'application/x-www-form-urlencoded')
  expect([status, body.response_code]).toEqual([201, 720])
})

test('numbers of JSON are taken as decimals', async () => {
  const shop = await createApiWorld()
  const body = { ...localPayout, exchange_rate: 1, sender_amount: 1500.5, recipient_amount: 1500.5 }
  expect(await shop.post('/payouts', body)).toMatchObject({ status: 201, body: { amount: '1500.5' } })
})

test('the three kinds share one room of references', async () => {
  const shop = await createApiWorld()
  await shop.post('/payouts', { ...localPayout, payout_reference: 'R' })
  const { status, body } = await shop.post('/payouts/b2b', { ...b2bPayout, payout_reference: 'R' })
  expect([status, body.code]).toEqual([409, 'reference_reused'])
})

test('what the gateway rejects is an answer, with its code', async () => {
  const shop = await createApiWorld()
  const { status, body } = await shop.post('/payouts', {
    ...localPayout,
    sender_amount: '9999999.00',
    recipient_amount: '9999999.00',
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({ outcome: 'failed', response_code: 721, error_code: 'INSUFFICIENT_BALANCE' })
})

test('an unknown reference is not found', async () => {
  const shop = await createApiWorld()
  expect(await shop.get('/payouts/NOBODY')).toMatchObject({ status: 404, body: { code: 'unknown_payout' } })
  expect(shop.gatewayRequests()).toEqual([])
})
