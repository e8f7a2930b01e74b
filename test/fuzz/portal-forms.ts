import { PAGES } from '../../demo/sandbox/portal/pages.ts'

/** The pages whose forms move money. */
const MOVED = [
  '/payments/:merchant_transaction_id',
  '/charges/:external_reference',
  '/payouts/:payout_reference',
  '/airtime/:reference/:phone_number',
]
/** For each form of the portal, fields that it accepts. */
const ACCEPTED: Readonly<Record<string, object>> = {
  '/portal/users/add': { name: 'Joy', email: 'joy@sandbox.test', role: 'viewer' },
  '/portal/users/:email/role': { role: 'viewer' },
  '/portal/password/change': {
    current: 'sandbox-password',
    wanted: 'a longer password',
    again: 'a longer password',
  },
  '/portal/keys/create': { name: 'Shop server' },
  '/portal/services/add': { code: 'NEW-KES', use: 'local', account: 'ACC-001' },
  '/portal/services/:code/remove': { sure: 'on' },
  '/portal/keys/:key/revoke': { sure: 'on' },
  '/portal/callback-urls/save': {
    charge_callback_url: 'http://127.0.0.1:9/callbacks',
    airtime_callback_url: '',
  },
  '/portal/float/fund': { account: 'ACC-001', amount: '1,000.50', reference: 'Transfer 1' },
  '/portal/onboarding/person': { email: 'amina@shop.example' },
  '/portal/onboarding/agreement': { signed_by: 'Amina', agreed: 'on' },
  '/portal/sign-in': { email: 'owner@sandbox.test', password: 'sandbox-password', next: '/portal' },
  ...Object.fromEntries(
    MOVED.flatMap((path) => [
      [`/portal${path}/give-back`, { as: 'refund', sure: 'on' }],
      [`/portal${path}/resolve`, { as: 'resolve_paid', sure: 'on' }],
    ]),
  ),
}
/** Each form has an id, and a second submission of the same form has no effect. */
const FORMS = Array.from({ length: 50 }, (_, index) => `form-${index}`)

/** Returns examples of the fields of a form of the portal, or of any form for another path; `null` outside the portal. */
export function portalExamples(path: string, csrf: string): object[] | null {
  if (!path.startsWith('/portal')) return null
  const page = PAGES.find((one) => Object.keys(one.forms ?? {}).some((name) => path === addressOf(one, name)))
  const form = page?.forms?.[path.split('/').at(-1) ?? '']
  const fields = Object.fromEntries((form?.fields ?? []).map((name) => [name, 'x']))
  return FORMS.map((id) => ({ csrf, form: id, ...fields, ...ACCEPTED[path] }))
}

function addressOf({ path }: { path: string }, form: string): string {
  return `/portal${path === '/' ? '' : path}/${form}`
}
