import { expect, test } from 'vitest'
import { openAirtimeShop, to } from '../support/airtime-shop.ts'
import { airtime, manyRecipients } from '../support/spec-airtime.ts'

async function refused(body: unknown) {
  const shop = await openAirtimeShop()
  const answer = await shop.post('/airtime', body)
  expect(shop.gatewayRequests()).toEqual([])
  expect(await shop.rows()).toEqual([])
  expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } })
  return answer.body
}

test('the same number twice is named with both places, however it is written', async () => {
  const recipients: object[] = manyRecipients(5000)
  recipients[12] = to('0001')
  recipients[4999] = { phone_number: '+254 700-000-001', amount: '5' }
  expect((await refused({ reference: 'A-1', recipients })).errors).toEqual([
    { path: 'recipients[4999].phone_number', message: 'is the same as recipients[12]' },
  ])
})

test('every recipient that is wrong is named, and the sentence stays short', async () => {
  const wrong = [to('0001', '0'), { phone_number: '0700000001' }, 'somebody', to('0002', '0.005')]
  const { errors } = await refused({ reference: 'A-1', recipients: [to('0003'), ...wrong] })
  expect(errors).toEqual([
    { path: 'recipients[1].amount', message: 'must be more than zero' },
    { path: 'recipients[2].phone_number', message: 'must be a phone number with its country code' },
    { path: 'recipients[2].amount', message: 'is required' },
    { path: 'recipients[3]', message: 'must be an object' },
    { path: 'recipients[4].amount', message: 'must have at most 2 fraction digits' },
  ])
  const all = await refused({ reference: 'A-1', recipients: Array.from({ length: 3000 }, () => ({})) })
  expect(all.errors).toHaveLength(6000)
  expect(all.detail).toContain('and 5980 more')
})

test.each([
  ['no reference', { recipients: airtime.recipients }, 'reference', 'is required'],
  ['nobody', { reference: 'A-1', recipients: [] }, 'recipients', 'must have at least 1 recipient'],
  ['no list', { reference: 'A-1', recipients: 'all' }, 'recipients', 'must be a list'],
  ['no recipients', { reference: 'A-1' }, 'recipients', 'is required'],
  ['two dots', { reference: '..', recipients: airtime.recipients }, 'reference', expect.any(String)],
  ['a list', [], 'body', 'must be an object'],
  [
    'a reference without room for the numbers of its requests',
    { reference: 'x'.repeat(63), recipients: manyRecipients(1001) },
    'reference',
    'must be at most 62 characters for 2 requests to the gateway',
  ],
])('%s', async (_, body, path, message) => {
  expect((await refused(body)).errors).toContainEqual({ path, message })
})

test('more than a hundred thousand', async () => {
  const recipients = Array.from({ length: 100_001 }, () => 0)
  expect((await refused({ reference: 'A-1', recipients })).errors).toEqual([
    { path: 'recipients', message: 'must have at most 100000 recipients' },
  ])
})

test('an unknown reference, and an unknown outcome', async () => {
  const shop = await openAirtimeShop()
  expect(await shop.get('/airtime/NOBODY')).toMatchObject({
    status: 404,
    body: { code: 'unknown_airtime' },
  })
  expect(await shop.get('/airtime?outcome=paid')).toMatchObject({ status: 422 })
})
