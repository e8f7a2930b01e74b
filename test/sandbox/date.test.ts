import { expect, it } from 'vitest'

import { createTimeline, startSandbox } from '../../demo/sandbox/index.ts'
import { openMerchant } from './merchant.ts'

it.each(['/v2/checkout/status/order-9', '/_sandbox/clock', '/portal', '/no/such/path'])(
  'the Date of %s is the time of the sandbox, within the process, too',
  async (path) => {
    const merchant = await openMerchant()
    await merchant.control('/clock/advance', { seconds: 90 })
    const { headers } = await merchant.get(path)
    expect(headers.get('date')).toBe('Sat, 21 Nov 2026 09:01:30 GMT')
  },
)

it('the Date of an answer over HTTP is the time of the sandbox', async () => {
  const sandbox = await startSandbox({ timeline: createTimeline({ start: Date.UTC(2027, 0, 1) }) })
  try {
    const { headers } = await fetch(`${sandbox.url}/v1/auth`)
    expect(headers.get('date')).toMatch(/^Fri, 01 Jan 2027 /)
  } finally {
    await sandbox.close()
  }
})
