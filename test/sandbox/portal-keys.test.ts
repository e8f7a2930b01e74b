import { expect, test } from 'vitest'
import { openMerchant } from './merchant.ts'
import { formIn, problemsIn, signedIn } from './portal-visitor.ts'

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
  for (const html of [again.html, (await developer.open('/keys')).html]) expect(html).not.toContain(secret)
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
    if (developer.page().status === 422) break
  }
  expect(problemsIn(developer.page().html)['name']).toContain('100 keys')
})
