import { expect, test } from 'vitest'

import { PAGES } from '../../demo/sandbox/portal/routes.ts'
import { EVERYONE } from '../../demo/sandbox/users/roles.ts'
import { formIn, openPortal, problemsIn, signedIn } from '../../server/conformance/portal-visitor.ts'
import { openMerchant } from './merchant.ts'

import type { Visitor } from '../../server/conformance/portal-visitor.ts'

const { sandbox } = await openMerchant()
const open = () => openPortal(sandbox.app)

test('the address of the sandbox leads to the portal, and from there to the sign-in', async () => {
  const visitor = open()
  expect(await visitor.ask('/')).toMatchObject({ status: 302, location: '/portal' })
  expect(await visitor.follow()).toMatchObject({ status: 303, location: '/portal/sign-in?next=%2Fportal' })
  const { status, html, headers } = await visitor.follow()
  expect(status).toBe(200)
  expect(html).toContain('owner@sandbox.test')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? []
  expect(script).toMatch(/^document\.cookie = 'portal_zone='[^\n]*$/)
})

test('a user who signs in sees the page that was asked for, and is gone after signing out', async () => {
  const visitor = open()
  const before = (await visitor.open('/sign-in?next=/portal%3Fa=1'), visitor.cookie())
  await visitor.send('sign-in', { email: ' Owner@Sandbox.Test ', password: 'sandbox-password' })
  expect(visitor.page()).toMatchObject({ status: 303, location: '/portal?a=1' })
  expect(visitor.page().headers.get('set-cookie')).toMatch(/; Path=\/portal; HttpOnly; SameSite=Lax$/)
  expect(visitor.cookie()).not.toBe(before)
  const { html } = await visitor.follow()
  expect(html).toContain('Amina Owner')
  expect(html).toContain('aria-current="page"')

  const signedIn = visitor.cookie()
  await visitor.send('sign-out')
  expect((await visitor.open()).status).toBe(303)
  expect((await visitor.ask('/portal', { headers: { cookie: signedIn } })).status).toBe(303)
})

test.each([
  ['https://evil.example/portal', '/portal'],
  ['//evil.example/portal', '/portal'],
  ['/portal/../pay/x', '/portal'],
  ['/\\evil.example', '/portal'],
  ['javascript:alert(1)', '/portal'],
  ['/portal/sign-in', '/portal'],
])('after the sign-in, %s leads to %s', async (next, location) => {
  const visitor = open()
  await visitor.open('/sign-in')
  const form = formIn(visitor.page().html, 'sign-in')
  const fields = { ...form.fields, next, email: 'owner@sandbox.test', password: 'sandbox-password' }
  expect(await visitor.post({ ...form, fields })).toMatchObject({ status: 303, location })
})

test('a refused sign-in names the field, keeps the address and never sends the password back', async () => {
  const visitor = open()
  const { status, html } = await visitor.signIn('"><b>@sandbox.test', 'my-own-password')
  expect(status).toBe(422)
  expect(Object.keys(problemsIn(html))).toEqual(['password'])
  expect(html).toContain('value="&quot;&gt;&lt;b&gt;@sandbox.test"')
  expect(html).not.toContain('my-own-password')
})

test('a sign-in of another page, or with the token of another browser, is refused', async () => {
  const visitor = open()
  const other = open()
  const fields = { email: 'owner@sandbox.test', password: 'sandbox-password' }
  await visitor.open('/sign-in')
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  expect((await visitor.send('sign-in', fields, foreign)).status).toBe(403)
  await other.open('/sign-in')
  const { csrf = '' } = formIn(other.page().html, 'sign-in').fields
  for (const wrong of [csrf, '', 'x', 'é'.repeat(csrf.length)]) {
    await visitor.open('/sign-in')
    const form = formIn(visitor.page().html, 'sign-in', fields)
    const { status, html } = await visitor.post({ ...form, fields: { ...form.fields, csrf: wrong } })
    expect([status, Object.keys(problemsIn(html))]).toEqual([403, ['csrf']])
  }

  expect((await visitor.open()).status).toBe(303)
})

// What holds for each page and each form of the portal.

const FOREIGN = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }

const { sandbox: forms, ledger } = await openMerchant()
const visitors = new Map<string, Visitor>()
for (const role of EVERYONE) {
  visitors.set(role, await signedIn(forms.app, role))
}

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
    expect(await openPortal(forms.app).ask(address)).toMatchObject({ status: 303, location })
    const found = address.includes('/nobody') ? 404 : 200
    for (const role of EVERYONE) {
      const { status } = await as(role).ask(address)
      expect({ role, status }).toEqual({ role, status: roles.includes(role) ? found : 403 })
    }
  },
)

test.each(FORMS.map((form) => [form.action, form] as const))(
  '%s is refused to other roles, without a sign-in, without its token and from other sites',
  async (action, { roles }) => {
    const before = await ledger()
    expect((await openPortal(forms.app).post({ action, fields: {} })).location).toBe('/portal/sign-in')
    for (const role of EVERYONE) {
      const csrf = await csrfOf(role)
      const post = async (fields: Record<string, string>, headers = {}) =>
        (await as(role).post({ action, fields }, headers)).status
      if (!roles.includes(role)) {
        expect({ role, status: await post({ csrf, form: role }) }).toEqual({ role, status: 403 })
      }

      for (const wrong of ['', 'x', csrf.toUpperCase(), `${csrf}0`, await csrfOf(otherThan(role))]) {
        expect(await post({ csrf: wrong, form: 'x' })).toBe(403)
      }

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
    if (status === 422) {
      expect(html).toMatch(/<li data-field="[a-z0-9_]+">[A-Z]/)
    }
  },
)

function otherThan(role: string): string {
  return role === 'owner' ? 'viewer' : 'owner'
}

test('a browser that opens an address which does not exist gets a page, and every other client JSON', async () => {
  const { app } = sandbox
  const page = await app.request('/portal/nothing-here', { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect(page.status).toBe(404)
  const html = await page.text()
  expect(html).toMatch(/^<!doctype html>/)
  expect(html).toContain('The address /portal/nothing-here does not exist.')
  expect(html).toContain('href="/portal"')

  const json = await app.request('/portal/nothing-here', { headers: { accept: 'application/json' } })
  expect(json.status).toBe(404)
  expect(json.headers.get('content-type')).toBe('application/json')
})
