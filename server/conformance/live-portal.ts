/** The portal of a look-alike of production, where its owner creates what a sandbox has from the start. */

import { openPortal } from './portal-visitor.ts'

interface LiveKey {
  consumer_key: string
  consumer_secret: string
}

export type LivePortal = Awaited<ReturnType<typeof openLivePortal>>

/** Signs in as the owner. */
export async function openLivePortal({
  app,
  owner,
}: {
  app: Parameters<typeof openPortal>[0]
  owner: { email: string; password: string }
}) {
  const visitor = openPortal(app, 'production')
  await visitor.signIn(owner.email, owner.password)

  /** Sends a form of the page at `path`, and resolves with the HTML of the page that follows. */
  async function send(path: string, form: string, fields: Record<string, string>): Promise<string> {
    await visitor.open(path)
    const { status, html } = await visitor.send(form, fields)
    if (status !== 303) {
      throw new Error(`${path}/${form} is ${status}: ${html}`)
    }
    return (await visitor.follow()).html
  }

  return {
    visitor,
    send,
    async createKey(name = 'Shop server'): Promise<LiveKey> {
      const html = await send('/keys', 'create', { name })
      return {
        consumer_key: /key-[0-9a-f]{24}/.exec(html)?.[0] ?? '',
        consumer_secret: /<pre>([0-9a-f]{48})<\/pre>/.exec(html)?.[1] ?? '',
      }
    },
    addService: (code: string, use: string, account = 'LIVE-001') =>
      send('/services', 'add', { code, use, account }),
    fund: (amount: string, account = 'LIVE-001') =>
      send('/accounts', 'fund', { account, amount, reference: 'Transfer' }),
    async completeOnboarding() {
      const business = { legal_name: 'Pwani Goods', registration_number: 'PVT-1', country: 'Kenya' }
      const person = { full_name: 'Amina', email: 'amina@pwani.example', phone: '+254 700 000001' }
      await send('/onboarding', 'business', business)
      await send('/onboarding', 'person', person)
      await send('/onboarding', 'bank', { bank: 'Bank', account_name: 'Pwani Goods', account_number: '1' })
      await send('/onboarding', 'agreement', { signed_by: 'Amina', agreed: 'on' })
    },
  }
}
