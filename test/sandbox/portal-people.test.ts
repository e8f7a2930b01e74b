import { expect, test } from 'vitest'

import { formIn, openPortal, problemsIn, signedIn } from '../../server/conformance/portal-visitor.ts'
import { openMerchant } from './merchant.ts'

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
  if (field !== 'name') {
    expect(html).toContain('value="Joy"')
  }
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
  'after five wrong passwords for %s, each further one is answered a second later, for 15 minutes',
  async (email) => {
    const visitor = openPortal(sandbox.app)

    const isAnswered = async (ms: number) => {
      let isDone = false
      const answer = visitor.signIn(email, 'wrong').finally(() => (isDone = true))
      await later(ms - 1)
      const wasDone = isDone
      await later(1)
      expect((await answer).status).toBe(422)
      return !wasDone
    }

    for (let left = 5; left > 0; left--) {
      expect((await visitor.signIn(email, 'wrong')).status).toBe(422)
    }

    for (const seconds of [1, 2, 3]) {
      expect(await isAnswered(seconds * 1_000)).toBe(true)
    }

    await later(15 * MINUTE)
    expect((await visitor.signIn(email, 'wrong')).status).toBe(422)
  },
)

test('a stranger who guesses does not shut an account to its user', async () => {
  const stranger = openPortal(sandbox.app)
  const guesses = Array.from({ length: 20 }, () => stranger.signIn('viewer@sandbox.test', 'wrong'))
  expect((await openPortal(sandbox.app).signIn('viewer@sandbox.test')).status).toBe(303)
  await later(MINUTE)
  await Promise.all(guesses)
})

test('a sign-in ends after 12 hours', async () => {
  const visitor = await owner()
  await later(12 * 60 * MINUTE - 1)
  expect((await visitor.open()).status).toBe(200)
  await later(1)
  expect((await visitor.open()).status).toBe(303)
})

const merchant = await openMerchant()
const { app } = merchant.sandbox
const developer = await signedIn(app, 'developer')

async function createKey(name: string) {
  await developer.open('/keys')
  await developer.send('create', { name })
  const path = developer.page().location?.replace('/portal', '') ?? ''
  const { html } = await developer.follow()
  return { path, html, key: path.split('/').at(-1) ?? '', secret: secretIn(html) }
}

const secretIn = (html: string) => /<pre>([0-9a-f]{48})<\/pre>/.exec(html)?.[1] ?? ''
const authenticate = (consumer_key: string, consumer_secret: string) =>
  merchant.post('/v1/auth', { consumer_key, consumer_secret })

async function tokenOf(key: string, secret: string): Promise<string> {
  const answer = await authenticate(key, secret)
  expect(answer.status).toBe(201)
  return (await answer.json()).access_token
}

const balance = (token: string) => merchant.get('/v1/accounts/ACC-001/balance', { 'x-access-token': token })

test('a new key works, and its secret is shown once', async () => {
  const { path, key, secret } = await createKey('Shop server')
  expect((await balance(await tokenOf(key, secret))).status).toBe(200)
  const again = await developer.open(path)
  expect(again.html).toContain('Shop server')
  for (const html of [again.html, (await developer.open('/keys')).html]) {
    expect(html).not.toContain(secret)
  }

  expect((await authenticate(key, `${secret}0`)).status).toBe(401)
  expect((await authenticate('sandbox-key', secret)).status).toBe(401)
})

test('neither HEAD nor another user takes the secret away', async () => {
  await developer.open('/keys')
  const { location } = await developer.send('create', { name: 'Careful' })
  const owner = await signedIn(app)
  expect(secretIn((await owner.ask(location!)).html)).toBe('')
  expect((await developer.ask(location!, { method: 'HEAD' })).html).toBe('')
  expect(secretIn((await developer.ask(location!)).html)).not.toBe('')
})

test('a form that is sent twice creates one key', async () => {
  await developer.open('/keys')
  const form = formIn(developer.page().html, 'create', { name: 'Twice' })
  const [one, two] = await Promise.all([developer.post(form), developer.post(form)])
  const three = await developer.post(form)
  expect(one).toMatchObject({ status: 303, location: expect.stringMatching(/^\/portal\/keys\/key-/) })
  expect([two.location, three.location]).toEqual([one.location, one.location])
  expect((await developer.open('/keys')).html.split('>Twice<')).toHaveLength(2)
})

test('a revoked key and its tokens are refused at once; other keys stay', async () => {
  const { path, key, secret } = await createKey('Old server')
  const token = await tokenOf(key, secret)
  expect(problemsIn((await developer.send('revoke')).html)).toHaveProperty('sure')
  expect((await balance(token)).status).toBe(200)
  await developer.send('revoke', { sure: 'on' })
  expect(developer.page()).toMatchObject({ status: 303, location: '/portal/keys' })
  expect((await authenticate(key, secret)).status).toBe(401)
  expect(await (await balance(token)).json()).toMatchObject({ status_code: 132 })
  expect((await balance(merchant.token())).status).toBe(200)
  expect((await developer.open(path)).html).not.toContain('Revoke the key')
})

test('there are at most 100 keys', async () => {
  for (let left = 100; left > 0; left--) {
    await developer.open('/keys')
    await developer.send('create', { name: 'One of many' })
    if (developer.page().status === 422) {
      break
    }
  }

  expect(problemsIn(developer.page().html)['name']).toContain('100 keys')
  // The list has no search and no pages.
  await developer.open('/keys')
  expect(developer.page().html.match(/href="\/portal\/keys\/[^"]+"/g)).toHaveLength(100)
})
