import { createHash } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'

import { createTimeline } from '../../demo/sandbox/index.ts'
import { formatMoney } from '../../widget/words.ts'
import ar from '../../widget/words/ar.ts'
import { en } from '../../widget/words/en.ts'
import fr from '../../widget/words/fr.ts'
import pt from '../../widget/words/pt.ts'
import sw from '../../widget/words/sw.ts'
import { MINUTE, START, openMerchant } from './merchant.ts'

import type { SandboxOptions } from '../../demo/sandbox/index.ts'

async function openPage(fields: object = {}, options: SandboxOptions = {}) {
  const merchant = await openMerchant(options)
  const { redirect_url } = await merchant.begin(fields)
  const path = new URL(redirect_url).pathname
  const customer = {
    ...merchant,
    path,
    look: async (language = '*', query = '') =>
      (await merchant.get(path + query, { 'accept-language': language })).text(),
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
  it('the hosted page shows merchant, narration, amount, expiry and payment methods', async () => {
    const customer = await openPage({ amount: 1500 })
    const html = await customer.look()
    for (const text of [
      '>Sandbox Shop</h1>',
      'Two kangas',
      'Pay KES\u00a01,500',
      'Pay until',
      '(Nairobi time)',
    ]) {
      expect(html).toContain(text)
    }

    for (const code of ['MOMO_KEN', 'CARD', 'BANK']) {
      expect(html).toContain(`value="${code}"`)
    }

    expect(html).toContain('value="+254 700 000 001"')
    expect(html).toContain('Sandbox: no real money moves')
    expect(html).toContain('<a class="back" href="https://shop.example/return/1">Back to the shop</a>')
  })

  it('the hosted page runs only its own script and escapes all texts', async () => {
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
    for (const text of scripts) {
      expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(text).digest('base64')}';`)
    }

    expect(html).not.toContain('<script>alert')
    expect(html).not.toContain('"><b>')
  })

  it('the hosted page offers the remaining amount after a partial payment', async () => {
    const customer = await openPage()
    await customer.prompt()
    await customer.act('partial', '200')
    const html = await customer.look()
    expect(html).toContain('<p class="amount">KES\u00a0300 to go</p>')
    expect(html).toContain('We have received KES\u00a0200 of KES\u00a0500.')
    expect(html).toContain('Pay KES\u00a0300')
    await customer.prompt()
    await customer.act('overpay', '350')
    expect(await customer.look()).toContain('We have received KES\u00a0550, which is KES\u00a050 too much.')
  })

  it('the hosted page keeps the number and the method of the failed attempt, so that no other phone is asked', async () => {
    const customer = await openPage()
    await customer.send('prompt', { method: 'WAVELET_KEN', msisdn: '+254711222333' })
    await customer.act('wrong_pin')
    const html = await customer.look()
    expect(html).toContain('value="+254 711 222 333"')
    expect(/<input[^>]* name="method"[^>]* checked[^>]*>/.exec(html)?.[0]).toContain('value="WAVELET_KEN"')
  })

  it('the hosted page asks not to pay twice while a payment is processing or jammed', async () => {
    const customer = await openPage()
    await customer.prompt()
    await customer.act('slow')
    expect(await customer.look()).toContain('Your payment is being processed')
    await customer.prompt()
    await customer.later(MINUTE)
    expect(await customer.look()).toContain('<h2 id="message">Paid</h2>')

    const other = await openPage()
    await other.prompt()
    await other.act('jam')
    const stuck = await other.look()
    expect(stuck).toMatch(/Your payment is delayed[^]*Please do not pay again/)
    expect(refreshOf(stuck)).toMatch(/^10;/)
  })

  it('the hosted page of an expired session says what an SMS of the operator means', async () => {
    const customer = await openPage()
    await customer.later(61 * MINUTE)
    const html = await customer.look()
    expect(html).toContain('The time to pay has ended')
    expect(html).toContain('If your SMS says that money left, do not pay again.')
  })

  it('the hosted page sends one prompt for a double click', async () => {
    const customer = await openPage()
    await Promise.all([customer.prompt(), customer.prompt()])
    expect((await customer.status()).payments).toHaveLength(1)
  })

  it('the hosted page shows the error beside the refused entry', async () => {
    const customer = await openPage()
    const phone = await customer.prompt('0700<b>')
    expect(phone.status).toBe(422)
    expect(phone.html).toContain('value="0700&lt;b&gt;"')
    expect(phone.html).toMatch(/<input[^>]*aria-invalid="true"[^>]*autofocus/)
    expect(phone.html).toContain(
      '<title>Enter your mobile number, with the country code. · How would you like to pay?',
    )
    expect(phone.html).toMatch(/aria-describedby="msisdn-error msisdn-hint"[^]* id="msisdn-error"/)
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
    ['prompt', { method: 'CASH', msisdn: '254700000001' }, 400],
    ['act', { scenario: 'toString' }, 400],
    ['act', { scenario: 'refund' }, 303],
  ] as const)('the hosted page survives a forged %s of %j', async (step, form, status) => {
    const customer = await openPage()
    expect((await customer.send(step, form)).status).toBe(status)
    expect(await customer.status()).toMatchObject({ status: 803, payments: [] })
  })

  it.each(['/pay/unknown', '/pay/', '/pay/unknown/receipt'])(
    'the hosted page has a message, and no way to the portal of the merchant, for an unknown address: %s',
    async (path) => {
      const customer = await openPage()
      const answer = await customer.get(path, { accept: 'text/html' })
      expect(answer.status).toBe(404)
      const html = await answer.text()
      expect(html).toContain('<h1>Payment not found</h1>')
      expect(html).toContain('<p>If you have paid, please contact the shop.</p>')
      expect(html).not.toContain('/portal')
      expect((await customer.post('/pay/unknown/act', '')).status).toBe(404)
    },
  )
})

const LANGUAGES = [ar, en, fr, pt, sw]
const REASONS = [
  ['9001', 'not_enough_money'],
  ['9002', 'wrong_pin'],
  ['9003', 'no_answer'],
  ['9004', 'cancelled'],
  ['9011', 'limit_reached'],
  ['9012', 'number_not_registered'],
  ['9013', 'operator_unavailable'],
  ['9014', 'unknown'],
] as const

describe('the language of the hosted page', () => {
  it.each(REASONS)(
    'on the hosted page, a number that ends in %s fails with %s, as the shop says it',
    async (digits, reason) => {
      const customer = await openPage()
      await customer.prompt(`25470000${digits}`)
      await customer.later(MINUTE)
      for (const { language, dir, reason: reasons, sentence, sms } of LANGUAGES) {
        const [title, detail] = reason === 'unknown' ? sentence.unpaid : reasons[reason]
        const html = await customer.look(language)
        expect(html).toContain(`<html lang="${language}" dir="${dir}">`)
        expect(html).toContain(`<title>${title} · Sandbox Shop</title>`)
        expect(html).toContain(`<h2 id="methods">${title}</h2><p>${detail}</p><p>${sms}</p>`)
      }
    },
  )

  it.each([
    ['pt-MZ,pt;q=0.9,en;q=0.8', 'pt'],
    ['de, sw;q=0.5', 'sw'],
    ['de', 'en'],
    ['*', 'en'],
  ])('on the hosted page, Accept-Language: %s gives %s', async (accepted, language) => {
    const customer = await openPage()
    expect(await customer.look(accepted)).toContain(`<html lang="${language}"`)
  })

  it('the hosted page writes the amounts, as the element does', async () => {
    const customer = await openPage({ amount: 1500 })
    for (const { language, pay } of LANGUAGES) {
      expect(await customer.look(language)).toContain(`${pay} ${formatMoney('1500', 'KES', language)}`)
    }
  })

  it('the language of the hosted page is chosen on it, and stays chosen', async () => {
    const customer = await openPage()
    for (const { language } of LANGUAGES) {
      expect(await customer.look()).toContain(`href="${customer.path}?lang=${language}"`)
    }

    expect(await customer.look('en', '?lang=sw')).toContain('Ungependa kulipa vipi?')
    await customer.prompt()
    expect(await customer.look('en')).toContain('Angalia simu yako')
    await customer.act('approve')
    expect(await customer.look('en')).toContain(sw.backToShop)
  })

  it('the hosted page leaves no placeholder and no part of a text empty', async () => {
    for (const { language } of LANGUAGES) {
      for (const scenario of ['approve', 'partial', 'overpay', 'slow', 'jam'] as const) {
        const customer = await openPage()
        await customer.prompt()
        const asked = await customer.look(language)
        await customer.act(scenario)
        for (const html of [asked, await customer.look(language)]) {
          expect(html.replace(/<style>[^]*?<.style>|<script>[^]*?<.script>/g, '')).not.toMatch(
            /undefined|\{\w+\}|<(p|h2|span|small|b)>\s*<\/\1>/,
          )
        }
      }
    }
  })
})

describe('the form of the hosted page', () => {
  it.each(['CARD', 'BANK'])(
    'the form of the hosted page asks for no phone number with %s',
    async (method) => {
      const customer = await openPage()
      expect((await customer.send('prompt', { method, msisdn: '' })).status).toBe(303)
      const html = await customer.look()
      expect(html).toContain('Confirm with your bank')
      expect(html).not.toContain('Check your phone')
    },
  )

  it('the form of the hosted page says that the time is over when it is', async () => {
    const timeline = createTimeline({ start: START })
    onTestFinished(() => timeline.close())
    const customer = await openPage({ expires_in: 30 }, { timeline })
    await customer.later(29 * MINUTE)
    const [, seconds, url] = /^(\d+);url=(.*)$/.exec(refreshOf(await customer.look()) ?? '') ?? []
    expect(Number(seconds)).toBeGreaterThan(50)
    expect(url).toBe(customer.path)
    await customer.later(MINUTE)
    expect(await customer.look()).toContain('The time to pay has ended')
  })

  it.each([
    ['#ffd400', '#000', '#fff'],
    ['#8a2b5c', '#fff', '#000'],
  ])(
    'the form of the hosted page has the accent of the merchant: %s, with %s upon it, and %s in it while it is pressed',
    async (merchantAccent, on, shade) => {
      const customer = await openPage({}, { merchantAccent, merchantLogo: 'data:image/png;base64,AA' })
      const html = await customer.look()
      expect(html).toContain(`--brand: ${merchantAccent}; --on-brand: ${on}; --shade: ${shade};`)
      expect(html).toContain('<img src="data:image/png;base64,AA" alt=""/>')
    },
  )
})
