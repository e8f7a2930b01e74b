import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { MINUTE, openMerchant } from './merchant.ts'
import type { SandboxOptions } from '../../demo/sandbox/index.ts'

async function openPage(fields: object = {}, options: SandboxOptions = {}) {
  const merchant = await openMerchant(options)
  const { redirect_url } = await merchant.begin(fields)
  const path = new URL(redirect_url).pathname
  const customer = {
    ...merchant,
    path,
    look: async () => (await merchant.get(path)).text(),
    async send(step: 'prompt' | 'act', form: Record<string, string>) {
      const answer = await merchant.post(`${path}/${step}`, new URLSearchParams(form).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
      })
      return { status: answer.status, location: answer.headers.get('location'), html: await answer.text() }
    },
    prompt: (msisdn = '254700000001') => customer.send('prompt', { method: 'MOMO_KEN', msisdn }),
    act: (scenario: string, amount?: string) =>
      customer.send('act', amount === undefined ? { scenario } : { scenario, amount }),
  }
  return customer
}

function refreshOf(html: string): string | undefined {
  return /<noscript><meta http-equiv="refresh" content="([^"]*)"/.exec(html)?.[1]
}

describe('the hosted page', () => {
  it('shows merchant, narration, amount, expiry and payment methods', async () => {
    const customer = await openPage({ amount: 1500 })
    const html = await customer.look()
    for (const text of ['Pay Sandbox Shop', 'Two kangas', 'KES 1,500', 'Pay until'])
      expect(html).toContain(text)
    for (const code of ['MOMO_KEN', 'CARD', 'BANK']) expect(html).toContain(`value="${code}"`)
    expect(html).toContain('value="+254700000001"')
    expect(html).toContain('Sandbox: no real money moves')
    expect(html).toContain('<a class="back" href="https://shop.example/return/1">Back to the shop</a>')
  })

  it('runs only its own script and escapes all texts', async () => {
    const customer = await openPage({
      narration: '"><script>alert(1)</script>',
      redirect_url: 'https://shop.example/?a="><b>',
    })
    const answer = await customer.get(customer.path)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    const html = await answer.text()
    const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text = '']) => text)
    expect(scripts).toHaveLength(1)
    for (const text of scripts)
      expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(text).digest('base64')}';`)
    expect(html).not.toContain('<script>alert')
    expect(html).not.toContain('"><b>')
  })

  it('offers the remaining amount after a partial payment', async () => {
    const customer = await openPage()
    await customer.prompt()
    await customer.act('partial', '200')
    const html = await customer.look()
    expect(html).toContain('KES 200 received')
    expect(html).toContain('<small>Left to pay</small> KES 300')
    expect(html).toContain('KES 200 of KES 500 is paid.')
    expect(html).toContain('Pay KES 300')
    await customer.prompt()
    await customer.act('overpay', '350')
    expect(await customer.look()).toContain('more than the requested KES 500')
  })

  it('keeps the number and the method of the failed attempt, so that no other phone is asked', async () => {
    const customer = await openPage()
    await customer.send('prompt', { method: 'WAVELET_KEN', msisdn: '+254711222333' })
    await customer.act('wrong_pin')
    const html = await customer.look()
    expect(html).toContain('value="+254711222333"')
    expect(/<input[^>]* name="method"[^>]* checked[^>]*>/.exec(html)?.[0]).toContain('value="WAVELET_KEN"')
  })

  it('asks not to pay twice while a payment is processing or jammed', async () => {
    const customer = await openPage()
    await customer.prompt()
    await customer.act('slow')
    expect(await customer.look()).toContain('Your payment is on its way')
    await customer.prompt()
    await customer.later(MINUTE)
    expect(await customer.look()).toContain('Payment received')

    const other = await openPage()
    await other.prompt()
    await other.act('jam')
    const stuck = await other.look()
    expect(stuck).toMatch(/needs a closer look[^]*Please do not pay again/)
    expect(refreshOf(stuck)).toBeUndefined()
  })

  it('sends one prompt for a double click', async () => {
    const customer = await openPage()
    await Promise.all([customer.prompt(), customer.prompt()])
    expect((await customer.status()).payments).toHaveLength(1)
  })

  it('shows the error beside the refused entry', async () => {
    const customer = await openPage()
    const phone = await customer.prompt('0700<b>')
    expect(phone.status).toBe(422)
    expect(phone.html).toContain('value="0700&lt;b&gt;"')
    expect(phone.html).toMatch(/<input[^>]*aria-invalid="true"[^>]*autofocus/)
    expect(phone.html).toContain('<title>Error: ')
    await customer.prompt()
    for (const [scenario, amount] of [
      ['partial', '500'],
      ['overpay', '1'],
      ['partial', 'x'],
    ] as const) {
      const refused = await customer.act(scenario, amount)
      expect(refused.status).toBe(422)
      expect(refused.html).toContain(`value="${amount}"`)
    }
  })

  it.each([
    ['prompt', { method: 'CASH', msisdn: '254700000001' }, 422],
    ['act', { scenario: 'toString' }, 400],
    ['act', { scenario: 'refund' }, 303],
  ] as const)('survives a forged %s of %j', async (step, form, status) => {
    const customer = await openPage()
    expect((await customer.send(step, form)).status).toBe(status)
    expect(await customer.status()).toMatchObject({ status: 803, payments: [] })
  })

  it('shows a message for an unknown reference', async () => {
    const customer = await openPage()
    const answer = await customer.get('/pay/unknown')
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('does not exist')
    expect((await customer.post('/pay/unknown/act', '')).status).toBe(404)
  })
})
