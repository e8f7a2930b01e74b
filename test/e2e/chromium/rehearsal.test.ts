/**
 * Goes from the sandbox to production, with the keyboard alone: the merchant prepares a look-alike of production in its
 * portal, checks the configuration, takes one payment and gives it back.
 */

import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import type { AddressInfo } from 'node:net'
import { startSandbox } from '../../../demo/sandbox/index.ts'
import { start } from '../../../server/index.ts'
import { freePort } from '../../support/free-port.ts'
import { createTerminal } from '../../support/terminal.ts'
import { openChromium } from '../browser/open.ts'
import { withKeyboard } from '../keyboard.ts'
import type { Person } from '../keyboard.ts'

const ORDER = 'ORDER-4711'
const LIMIT_MS = 600_000
const PATIENCE = { timeout: 120_000, interval: 250 }

test(
  'a merchant goes from the sandbox to production with the keyboard alone',
  { timeout: LIMIT_MS, retry: 0 },
  async () => {
    const sandbox = await startSandbox({ port: 0 })
    const live = await startSandbox({ port: 0, environment: 'production', callbackHosts: ['127.0.0.1'] })
    const browser = await openChromium()
    const closers = [() => sandbox.close(), () => live.close(), () => browser.close()]
    try {
      const person = withKeyboard(await browser.newPage())
      await leaveSandbox(person, sandbox.url)

      await person.opens(live.url)
      await signIn(person, live.owner)
      await completeOnboarding(person)
      const key = await createKey(person)
      await addServices(person)
      await fundFloat(person)

      const shop = await openShop({ ...key, gateway: live.url })
      closers.unshift(() => shop.close())
      const { findings } = await shop.check()
      const named = (kind: string) => findings.filter((one) => one.kind === kind).map(({ what }) => what)
      // What only a rehearsal on this machine lacks.
      expect(named('problem').filter((what) => !['rehearsal', 'https', 'origins'].includes(what))).toEqual([])
      expect(named('fine')).toEqual(expect.arrayContaining(['account', 'service LIVE-SHOP']))

      await pay(person, shop.url)
      await expect.poll(() => shop.outcome(), PATIENCE).toBe('paid')
      await giveBack(person, live.url, await shop.reference())
      await expect.poll(() => shop.outcome(), PATIENCE).toBe('refunded')
    } finally {
      for (const close of closers) await close()
    }
  },
)

async function leaveSandbox(person: Person, url: string) {
  await person.opens(url)
  await signIn(person, { email: 'owner@sandbox.test', password: 'sandbox-password' })
  await person.presses('Onboarding')
  await person.sees('These are the steps that production asks for')
  await person.presses('Sign out')
  await person.sees('Sign in')
}

async function signIn(person: Person, { email, password }: { email: string; password: string }) {
  await person.types('E-mail address', email)
  await person.types('Password', password)
  await person.page.keyboard.press('Enter')
  await person.sees('Sign out')
}

async function completeOnboarding(person: Person) {
  await person.presses('Onboarding')
  await person.sees('Payouts are refused with SERVICE_NOT_ALLOWED')
  await person.types('Legal name', 'Pwani Goods Ltd')
  await person.types('Registration number', 'PVT-4711')
  await person.types('Country', 'Kenya')
  await person.presses('Save and continue')
  await person.sees('Business: saved.')
  await person.types('Full name', 'Amina Owner')
  await person.types('E-mail address', 'amina@pwani.example')
  await person.types('Phone number', '+254 700 000001')
  await person.presses('Save and continue')
  await person.sees('Responsible person: saved.')
  await person.types('Bank', 'Bank of the Coast')
  await person.types('Account name', 'Pwani Goods Ltd')
  await person.types('Account number', '0100200300')
  await person.presses('Save and continue')
  await person.sees('Bank account: saved.')
  await person.types('Signed by', 'Amina Owner')
  await person.ticks('I agree to the terms of the gateway, and what is written above is true')
  await person.presses('Agree and complete')
  await person.sees('Onboarding is complete: payouts are allowed.')
}

async function createKey(person: Person) {
  await person.presses('API keys')
  await person.sees('There is no key yet')
  await person.types('Name', 'Shop server')
  await person.presses('Create the key')
  await person.sees('it is shown this once')
  const text = await person.text()
  const [key = ''] = /key-[0-9a-f]{24}/.exec(text) ?? []
  const [secret = ''] = /\b[0-9a-f]{48}\b/.exec(text) ?? []
  return { key, secret }
}

async function addServices(person: Person) {
  await person.presses('Services')
  await person.sees('Add a service')
  await person.types('Service code', 'LIVE-SHOP')
  await person.chooses('What it may do', 'Che')
  await person.presses('Add the service')
  await person.sees('LIVE-SHOP was added and is on.')
  await person.types('Service code', 'LIVE-PAYOUT')
  await person.chooses('What it may do', 'Loc')
  await person.presses('Add the service')
  await person.sees('LIVE-PAYOUT was added and is on.')
}

async function fundFloat(person: Person) {
  await person.presses('Float')
  await person.sees('Simulates a bank transfer')
  await person.types('Amount', '5,000')
  await person.types('Bank reference', 'Transfer 1')
  await person.presses('Fund the float')
  await person.sees('KES 5,000 arrived on LIVE-001.')
}

/** A shop with a page without a script, and its payment server in production. */
async function openShop({ gateway, key, secret }: { gateway: string; key: string; secret: string }) {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const page = createServer((_, response) => {
    const fields = {
      order: ORDER,
      payer_name: 'Asha',
      payer_email: 'asha@example.com',
      payer_msisdn: '254700000001',
    }
    const inputs = Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    )
    const form = `<form method="post" action="${publicUrl}/checkout/initiate">${inputs.join('')}<button>Pay now</button></form>`
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>Shop</title><h1>Shop</h1>${form}`)
  })
  await once(page.listen(0, '127.0.0.1'), 'listening')
  const { port: shopPort } = page.address() as AddressInfo
  const url = `http://127.0.0.1:${shopPort}`
  const terminal = createTerminal()
  const env = {
    GATEWAY_ENVIRONMENT: 'production',
    GATEWAY_REHEARSAL: '1',
    GATEWAY_BASE_URL: gateway,
    GATEWAY_CONSUMER_KEY: key,
    GATEWAY_CONSUMER_SECRET: secret,
    GATEWAY_SERVICE_CODE: 'LIVE-SHOP',
    GATEWAY_ACCOUNT_NUMBER: 'LIVE-001',
    PUBLIC_URL: publicUrl,
    ALLOWED_ORIGINS: url,
    TRUSTED_PROXIES: 'none',
    MERCHANT_API_KEY: 'the key of the merchant in the rehearsal',
    STORE_URL: terminal.environment.STORE_URL ?? '',
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'silent',
  }
  const stop = new AbortController()
  const order = { order: ORDER, amount: '1500', currency: 'KES', narration: 'Two kangas' }
  const server = await start({
    env,
    orders: (wanted) => (wanted === ORDER ? order : null),
    signal: stop.signal,
  })
  const checkout = async (): Promise<{ outcome: string; merchant_transaction_id: string }> => {
    const headers = { authorization: `Bearer ${env.MERCHANT_API_KEY}` }
    return (await fetch(`${publicUrl}/api/checkouts/${ORDER}`, { headers })).json()
  }
  return {
    url,
    async check(): Promise<{ findings: { what: string; kind: string }[] }> {
      const { out, err } = await terminal.run('check --json', { env, fetch: null })
      if (out === '') throw new Error(err)
      return JSON.parse(out)
    },
    outcome: async () => (await checkout()).outcome,
    reference: async () => (await checkout()).merchant_transaction_id,
    async close() {
      await server.stop()
      page.closeAllConnections()
      await new Promise((resolve) => page.close(resolve))
    },
  }
}

async function pay(person: Person, shop: string) {
  await person.opens(shop)
  await person.presses('Pay now')
  await person.sees('How would you like to pay?')
  await person.presses('Pay KES 1,500')
  await person.sees('On the customer’s phone (simulation)')
  await person.presses('Enter PIN and approve')
  await person.sees('Payment received')
}

async function giveBack(person: Person, live: string, reference: string) {
  await person.opens(`${live}/portal`)
  await person.presses('Payments')
  await person.sees(reference)
  await person.presses(reference)
  await person.sees('Refund or reverse')
  await person.presses('Refund or reverse')
  await person.ticks(/^Yes, give all of it back/)
  await person.presses('Give the money back')
  await person.sees('refunded')
}
