import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { localPayout } from '../support/spec-payouts.ts'
import { createTerminal } from '../support/terminal.ts'

const PRODUCTION = {
  GATEWAY_ENVIRONMENT: 'production',
  GATEWAY_BASE_URL: 'https://gateway.example',
  GATEWAY_CONSUMER_KEY: 'the-consumer-key',
  GATEWAY_CONSUMER_SECRET: 'the-consumer-secret',
  PUBLIC_URL: 'https://pay.shop.example',
}

test('in production, money leaves only after a yes', async () => {
  const { run, file } = createTerminal(PRODUCTION)
  const asked: string[] = []
  const fetch = (url: string) => {
    asked.push(new URL(url).pathname)
    return new Response('{}', { status: 503 })
  }
  const answering = (line: string) => ({
    fetch,
    stdin: Object.assign(Readable.from([`${line}\n`]), { isTTY: true }),
  })
  const payout = ['payouts', 'send', file(localPayout)]
  const airtime = ['airtime', 'send', file('phone_number,amount\n254720000001,10\n', 'csv'), '--no-wait']
  const acknowledge = ['charges', 'acknowledge', 'C-1', 'FAILED', '--narration', 'Sold out']
  for (const command of [payout, airtime, acknowledge]) {
    const unasked = await run(command, { fetch })
    expect(unasked).toMatchObject({ code: 2, out: '', err: expect.stringContaining('pass --yes') })
    for (const line of ['n', '', 'yesterday']) {
      const declined = await run(command, answering(line))
      expect(declined).toMatchObject({
        code: 1,
        err: expect.stringMatching(/Go on\? \[y\/N\] Nothing was sent/),
      })
    }
  }
  expect(asked).toEqual([])
  await run(payout, answering('y'))
  expect(asked).not.toEqual([])
  const before = asked.length
  await run([...airtime, '--yes'], { fetch })
  expect(asked.length).toBeGreaterThan(before)
})
