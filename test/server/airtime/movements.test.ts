import { expect, test } from 'vitest'

import { movementsOfAirtime } from '../../../server/airtime/movements.ts'
import { AirtimeRecord } from '../../../server/airtime/record.ts'
import { AIRTIME_STATUS } from '../../../server/contract/status.ts'
import { rowOf, SENT } from '../../support/worlds/observed.ts'

test('what came back of airtime is booked as the gateway states it', () => {
  const reported = {
    since: SENT,
    service_status: AIRTIME_STATUS.refunded,
    provider_reference: null,
    correlation_id: null,
    message: null,
    difference: null,
    paid: '100',
    returned: '40',
  }
  const recipient = {
    phone_number: '254700000001',
    fingerprint: 'print',
    amount: '100',
    reported,
    missing_since: null,
    alarm: null,
    resolution: null,
    told: [],
  }
  const record = AirtimeRecord.parse({
    phase: 'accepted',
    recipients: [recipient],
    request_fingerprint: '',
    settled_at: SENT,
  })
  expect(movementsOfAirtime(rowOf('airtime', record))).toMatchObject([
    { moved: 'paid', amount: '100' },
    { moved: 'refunded', amount: '40' },
  ])
})
