// What holds for each page and each form of the portal.

import { expect, test } from 'vitest'
import { PAGES } from '../../demo/sandbox/portal/pages.ts'
import { EVERYONE } from '../../demo/sandbox/accounts/roles.ts'
import { openMerchant } from './merchant.ts'
import { formIn, openPortal, signedIn } from './portal-visitor.ts'
import type { Visitor } from './portal-visitor.ts'

const FOREIGN = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }

const { sandbox, ledger } = await openMerchant()
const visitors = new Map<string, Visitor>()
for (const role of EVERYONE) visitors.set(role, await signedIn(sandbox.app, role))
const as = (role: string) => visitors.get(role)!
const csrfOf = async (role: string) => formIn((await as(role).open()).html, 'sign-out').fields['csrf'] ?? ''

const addressOf = (path: string) => `/portal${path === '/' ? '' : path.replaceAll(/:\w+/g, 'nobody')}`
const FORMS = PAGES.flatMap(({ path, forms = {} }) =>
  Object.entries(forms).map(([name, form]) => ({ ...form, action: `${addressOf(path)}/${name}` })),
)

test.each(PAGES.map((page) => [addressOf(page.path), page.roles] as const))(
  '%s is shown to its roles only, and to nobody without a sign-in',
  async (address, roles) => {
    const location = `/portal/sign-in?next=${encodeURIComponent(address)}`
    expect(await openPortal(sandbox.app).ask(address)).toMatchObject({ status: 303, location })
    const found = address.includes('/nobody') ? 404 : 200
    for (const role of EVERYONE) {
      const { status } = await as(role).ask(address)
      expect([role, status]).toEqual([role, roles.includes(role) ? found : 403])
    }
  },
)

test.each(FORMS.map((form) => [form.action, form] as const))(
  '%s is refused to other roles, without a sign-in, without its token and from other sites',
  async (action, { roles }) => {
    const before = await ledger()
    expect((await openPortal(sandbox.app).post({ action, fields: {} })).location).toBe('/portal/sign-in')
    for (const role of EVERYONE) {
      const csrf = await csrfOf(role)
      const post = async (fields: Record<string, string>, headers = {}) =>
        (await as(role).post({ action, fields }, headers)).status
      if (!roles.includes(role)) expect([role, await post({ csrf, form: role })]).toEqual([role, 403])
      for (const wrong of ['', 'x', csrf.toUpperCase(), `${csrf}0`, await csrfOf(otherThan(role))])
        expect(await post({ csrf: wrong, form: 'x' })).toBe(403)
      expect(await post({ csrf })).toBe(403)
      expect(await post({ csrf, form: 'y' }, FOREIGN)).toBe(403)
    }
    expect(await ledger()).toEqual(before)
  },
)

test.each(
  FORMS.filter(({ fields }) => Object.keys(fields).length > 0).map((form) => [form.action, form] as const),
)(
  '%s names a field of its own, or what does not exist, when every field is markup',
  async (action, { roles, fields }) => {
    const [role = 'owner'] = roles
    const typed = Object.fromEntries(Object.keys(fields).map((name) => [name, '"><script>x</script>']))
    const form = { csrf: await csrfOf(role), form: 'markup' }
    const { status, html } = await as(role).post({ action, fields: { ...typed, ...form } })
    expect(html).not.toContain('<script>x')
    expect([303, 404, 422]).toContain(status)
    if (status === 422) expect(html).toMatch(/<li data-field="[a-z0-9_]+">[A-Z]/)
  },
)

function otherThan(role: string): string {
  return role === 'owner' ? 'viewer' : 'owner'
}
