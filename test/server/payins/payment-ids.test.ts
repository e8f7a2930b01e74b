import { describe, expect, test } from 'vitest'

import { createReluctantBackend } from '../../support/worlds/charge-world.ts'
import { HOUR, MINUTE } from '../../support/worlds/observed.ts'
import { toldCharge } from '../../support/worlds/told-charge.ts'

const NAMELESS = { payment_status: 700, amount: '1000', charge_request_id: '22406' }
const NAMED = { ...NAMELESS, transaction_id: 'T1' }

describe('a payment that is known by the id of its charge, and named later,', () => {
  test('is not confirmed twice', async () => {
    const { told, shop } = await toldCharge()
    told.saysFlat(NAMELESS)
    await shop.later(10 * MINUTE)
    told.saysFlat(NAMED)
    await shop.later(10 * MINUTE)
    await shop.acknowledge('FAILED')
    await shop.later(HOUR)
    expect(told.taken).toEqual(['SUCCESSFUL 22406'])
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', attention: null })
  })

  test('is confirmed by its own id when the event about it is accepted since', async () => {
    const backend = createReluctantBackend()
    const { told, shop } = await toldCharge({ backend: backend.answer })
    told.saysFlat(NAMELESS)
    await shop.later(30_000)
    told.saysFlat(NAMED)
    await shop.later(HOUR)
    backend.isWilling = true
    await shop.later(3 * HOUR)
    expect(told.taken).toEqual(['SUCCESSFUL T1'])
  })

  test('is refused once', async () => {
    const { told, shop } = await toldCharge({ backend: createReluctantBackend().answer })
    told.saysFlat(NAMELESS)
    await shop.later(30_000)
    await shop.acknowledge('FAILED')
    told.saysFlat(NAMED)
    await shop.later(HOUR)
    expect(told.taken).toEqual(['FAILED 22406'])
  })
})
