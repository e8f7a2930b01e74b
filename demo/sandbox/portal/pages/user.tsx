import { z } from 'zod'
import { Form } from '../form.tsx'
import { role } from '../fields.ts'
import { form, refused } from '../page.ts'
import { OWNERS, ROLES } from '../../accounts/roles.ts'
import { NewSecret } from '../secret.tsx'
import { RoleChoice } from './users.tsx'
import type { Outcome, Page, Visit } from '../page.ts'
import type { Role } from '../../accounts/roles.ts'
import type { User as PortalUser } from '../../accounts/users.ts'

const NOTHING = z.object({})

export const user: Page = {
  path: '/users/:email',
  title: 'User',
  roles: OWNERS,
  show: showUser,
  forms: {
    role: form(OWNERS, z.object({ role }), (visit, { role: wanted }) => changeRole(visit, wanted)),
    password: form(OWNERS, NOTHING, resetPassword),
    remove: form(OWNERS, NOTHING, remove),
  },
}

function showUser(visit: Visit) {
  const found = userOf(visit)
  if (!found) return null
  const [changeOfRole, password, removal] = [visit.form('role'), visit.form('password'), visit.form('remove')]
  const secret = visit.takeSecret(found.email)
  return (
    <>
      {secret === null ? null : <NewSecret what={`Password of ${found.name}`} secret={secret} />}
      <section class="card">
        <h2>{found.name}</h2>
        <p>
          {found.email} · {found.role}, who {ROLES[found.role]}
        </p>
        <Form of={changeOfRole} submit="Change the role">
          <RoleChoice of={changeOfRole} value={found.role} />
        </Form>
      </section>
      <section class="card">
        <h2>Sign-in</h2>
        <p>A new password ends all sign-ins of {found.name}. You see it once.</p>
        <Form of={password} submit="Create a new password" button="quiet" />
        <p>A removed user is signed out at once.</p>
        <Form of={removal} submit={`Remove ${found.name}`} button="danger" />
      </section>
    </>
  )
}

function changeRole(visit: Visit, wanted: Role): Outcome {
  const found = userOf(visit)
  if (!found) return unknown
  if (wanted !== 'owner' && isLastOwner(visit, found)) return refused('role', `Role: ${LAST_OWNER}`)
  visit.world.users.save({ ...found, role: wanted })
  return { notice: `${found.name} is ${wanted} now.` }
}

function resetPassword(visit: Visit): Outcome {
  const { world } = visit
  const found = userOf(visit)
  if (!found) return unknown
  const password = world.users.resetPassword(found)
  if (found.email !== visit.user.email) world.signIns.endAllOf(found.email)
  return {
    notice: `${found.name} has a new password.`,
    secret: { of: found.email, value: password },
  }
}

function remove(visit: Visit): Outcome {
  const { world } = visit
  const found = userOf(visit)
  if (!found) return unknown
  if (isLastOwner(visit, found)) return refused('email', `E-mail address ${found.email}: ${LAST_OWNER}`)
  world.users.remove(found.email)
  world.signIns.endAllOf(found.email)
  return { to: '/users', notice: `${found.name} was removed.` }
}

const LAST_OWNER = 'this is the last owner. Make another user an owner first.'
const unknown = refused('email', 'E-mail address: there is no such user any more.')

function userOf({ world, params, user: self }: Visit): PortalUser | undefined {
  const found = world.users.find(params['email'] ?? '')
  return found?.merchant === self.merchant ? found : undefined
}

function isLastOwner({ world }: Visit, { email, merchant, role: own }: PortalUser): boolean {
  const others = world.users.listOf(merchant).filter((one) => one.email !== email)
  return own === 'owner' && !others.some((one) => one.role === 'owner')
}
