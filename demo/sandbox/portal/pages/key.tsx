import { z } from 'zod'
import { ticked } from '../fields.ts'
import { Form, Tick } from '../form.tsx'
import { form, refused } from '../page.ts'
import { DEVELOPERS } from '../../accounts/roles.ts'
import { NewSecret } from '../secret.tsx'
import { When } from '../when.tsx'
import { KeyState } from './keys.tsx'
import type { ApiKey } from '../../wire/api-keys.ts'
import type { Page, Visit } from '../page.ts'

export const key: Page = {
  path: '/keys/:key',
  title: 'API key',
  roles: DEVELOPERS,
  show: showKey,
  forms: {
    revoke: form(
      DEVELOPERS,
      z.object({ sure: ticked('Revoke this key: tick the box first. Servers with this key stop working.') }),
      (visit) => {
        const found = keyOf(visit)
        if (!found) return refused('key', 'Key: there is no such key.')
        if (found.revokedAt !== null) return refused('key', 'Key: it was revoked before.')
        visit.world.keys.revoke(found)
        return { to: '/keys', notice: `The key ${found.name} was revoked.` }
      },
    ),
  },
}

function showKey(visit: Visit) {
  const found = keyOf(visit)
  if (!found) return null
  const revoke = visit.form('revoke')
  const secret = visit.takeSecret(found.consumerKey)
  return (
    <>
      {secret === null ? null : <NewSecret what="Consumer secret" secret={secret} />}
      <section class="card">
        <div class="head">
          <h2>{found.name}</h2>
          <KeyState {...found} />
        </div>
        <dl class="facts">
          <div>
            <dt>Consumer key</dt>
            <dd>
              <code>{found.consumerKey}</code>
            </dd>
          </div>
          <div>
            <dt>Created</dt>
            <dd>
              <When at={found.createdAt} />
            </dd>
          </div>
          <div>
            <dt>Last used</dt>
            <dd>{found.lastUsedAt === null ? 'Never' : <When at={found.lastUsedAt} />}</dd>
          </div>
          {found.revokedAt === null ? null : (
            <div>
              <dt>Revoked</dt>
              <dd>
                <When at={found.revokedAt} />
              </dd>
            </div>
          )}
        </dl>
      </section>
      {found.revokedAt === null ? (
        <section class="card">
          <h2>Revoke</h2>
          <p>The key and its tokens are refused at once. This cannot be undone.</p>
          <Form of={revoke} submit="Revoke the key" button="danger">
            <Tick of={revoke} name="sure" label="Revoke this key" />
          </Form>
        </section>
      ) : null}
    </>
  )
}

function keyOf({ world, params }: Visit): ApiKey | undefined {
  return world.keys.find(params['key'] ?? '')
}
