import { expect, test } from 'vitest'
import { createApiWorld } from '../support/api-world.ts'
import { localPayout } from '../support/spec-payouts.ts'

// A header of an e-mail, NUL, a terminal sequence, and marks that reverse, hide or end what follows.
test.each([
  '\r\nBcc: all@evil.example',
  '\0',
  '\u001b[2J',
  '\u009b2J',
  '\u202e',
  '\u2066\u2069',
  '\u200b',
  '\u2028',
])('what a page, an order and a backend write with %j goes to the gateway without it', async (evil) => {
  const shop = await createApiWorld()
  const text = `Asha${evil}Otieno`
  shop.order('A-1', '500', { narration: text })
  expect((await shop.initiate('A-1', { payer_name: text })).status).toBe(201)
  const payout = { ...localPayout, recipient_last_name: text, payment_description: text }
  expect((await shop.post('/payouts', payout)).status).toBe(201)
  const sent = shop.gatewayBodies().filter((body) => body.includes('Asha'))
  expect(sent.length).toBeGreaterThan(1)
  for (const body of sent) {
    expect(Object.values(JSON.parse(body)).join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(body).toMatch(/Asha ?(\[?2J|Bcc: all@evil.example)?Otieno/)
  }
})

test.each(['asha@example.com\0x', 'asha@example.com\r\nBcc: all@evil.example', 'a@b.c, all@evil.example'])(
  'the e-mail address %j is refused',
  async (payer_email) => {
    const shop = await createApiWorld()
    shop.order('A-1')
    const answer = await shop.initiate('A-1', { payer_email })
    expect([answer.status, (await answer.json()).errors]).toMatchObject([422, [{ path: 'payer_email' }]])
  },
)
