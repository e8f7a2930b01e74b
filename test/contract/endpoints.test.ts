import { expect, test } from 'vitest'
import { z } from 'zod'

import { endpoints } from '../../server/contract/endpoints.ts'
import { ACKNOWLEDGEMENT_CODE, CHECKOUT_CODE } from '../../server/contract/status.ts'

const rows = Object.entries(endpoints).map(([name, row]) => ({ name, ...row }))

function written(schema: z.ZodType): string {
  return JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))
}

test.each(rows)('$name echoes fields that its response and its request have', (row) => {
  const { echoes, path, request, response } = row
  const requested = request ? written(request) : `${path.replace(/:(\w+)/g, '"$1":')} "base_currency":`
  for (const [field, requestField] of Object.entries(echoes)) {
    expect(written(response)).toContain(`"${field}":`)
    expect(requested).toContain(`"${requestField}":`)
  }
})

test('requests that the gateway does not deduplicate are never repeated', () => {
  const sentOnce = rows.filter(({ retryable }) => !retryable).map(({ name }) => name)
  const payouts = ['initiatePayout', 'initiateTransfer', 'initiateB2b']
  expect(sentOnce.toSorted()).toEqual([...payouts, 'sendAirtime', 'postCharge', 'confirmService'].toSorted())
})

test('every status query has a code for an unknown reference', () => {
  const codes = rows.flatMap(({ name, unknownCode }) =>
    name.endsWith('Status') ? [[name, unknownCode]] : [],
  )
  expect(Object.fromEntries(codes)).toEqual({
    getCheckoutStatus: CHECKOUT_CODE.accountMissing,
    getChargeStatus: CHECKOUT_CODE.accountMissing,
    getPayoutStatus: ACKNOWLEDGEMENT_CODE.notFound,
    getB2bStatus: ACKNOWLEDGEMENT_CODE.notFound,
    getAirtimeStatus: ACKNOWLEDGEMENT_CODE.notFound,
  })
})
