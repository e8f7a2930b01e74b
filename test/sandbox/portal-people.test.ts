import { expect, test } from 'vitest'
import { openMerchant } from './merchant.ts'
import { openPortal, problemsIn, signedIn } from './portal-visitor.ts'

const { sandbox, later } = await openMerchant()
const MINUTE = 60_000

const owner = () => signedIn(sandbox.app)

async function add(email: string, fields: Record<string, string> = {}) {
  const visitor = await owner()
  await visitor.open('/users')
  await visitor.send('add', { name: 'Joy', email, role: 'viewer', ...fields })
  const { location, status } = visitor.page()
  const { html } = status === 303 ? await visitor.follow() : visitor.page()
  return { visitor, status, location, html, password: /<pre>([0-9a-f]{24})<\/pre>/.exec(html)?.[1] ?? '' }
}

test('a new user signs in with the password that is shown once', async () => {
  const { visitor, location, password } = await add('Joy@Shop.Example')
  expect(location).toBe('/portal/users/joy%40shop.example')
  expect(password).not.toBe('')
  expect((await visitor.open('/users/joy%40shop.example')).html).not.toContain(password)

  const joy = openPortal(sandbox.app)
  expect((await joy.signIn('joy@shop.example', password)).status).toBe(303)
  expect((await joy.open('/users')).status).toBe(403)
})

test.each<[string, Record<string, string>, string]>([
  ['an address that a user has', { email: 'VIEWER@sandbox.test' }, 'email'],
  ['no address', { email: 'joy' }, 'email'],
  ['no name', { name: ' ' }, 'name'],
  ['a name of two lines', { name: 'Joy\nOwner' }, 'name'],
  ['a name of 61 characters', { name: 'x'.repeat(61) }, 'name'],
  ['an unknown role', { role: 'toString' }, 'role'],
])('a user with %s is refused, and what was typed is kept', async (_, wrong, field) => {
  const { status, html } = await add('new@shop.example', wrong)
  expect([status, Object.keys(problemsIn(html))]).toEqual([422, [field]])
  if (field !== 'name') expect(html).toContain('value="Joy"')
})

test('a changed role, a new password and a removal apply at once', async () => {
  const { visitor, password } = await add('kim@shop.example')
  const kim = openPortal(sandbox.app)
  await kim.signIn('kim@shop.example', password)
  expect((await kim.open('/keys')).status).toBe(403)
  await visitor.send('role', { role: 'developer' })
  expect((await kim.open('/keys')).status).toBe(200)

  await visitor.follow()
  await visitor.send('password')
  expect((await kim.open('/keys')).status).toBe(303)
  expect((await kim.signIn('kim@shop.example', password)).status).toBe(422)
  await visitor.follow()
  await visitor.send('remove')
  expect(visitor.page()).toMatchObject({ status: 303, location: '/portal/users' })
  expect((await visitor.open('/users/kim%40shop.example')).status).toBe(404)
})

test('the last owner stays an owner', async () => {
  const visitor = await owner()
  await visitor.open('/users/owner%40sandbox.test')
  expect(problemsIn((await visitor.send('role', { role: 'viewer' })).html)).toHaveProperty('role')
  expect(problemsIn((await visitor.send('remove')).html)).toHaveProperty('email')
  expect((await visitor.open('/users')).status).toBe(200)
})

test.each(['finance@sandbox.test', 'nobody@sandbox.test'])(
  'after five wrong passwords for %s, none is checked for 15 minutes',
  async (email) => {
    const visitor = openPortal(sandbox.app)
    for (let left = 5; left > 0; left--) expect((await visitor.signIn(email, 'wrong')).status).toBe(422)
    const { status, html } = await visitor.signIn(email)
    expect([status, problemsIn(html)]).toEqual([429, { password: expect.stringMatching(/in 15 minutes/) }])
    expect((await openPortal(sandbox.app).signIn('developer@sandbox.test')).status).toBe(303)
    await later(15 * MINUTE)
    expect((await visitor.signIn(email)).status).toBe(email.startsWith('finance') ? 303 : 422)
  },
)

test('a sign-in ends after 12 hours', async () => {
  const visitor = await owner()
  await later(12 * 60 * MINUTE - 1)
  expect((await visitor.open()).status).toBe(200)
  await later(1)
  expect((await visitor.open()).status).toBe(303)
})
