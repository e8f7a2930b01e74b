import { z } from 'zod'
import { Form, TextField } from '../form.tsx'
import { newPassword, PASSWORD_LENGTH } from '../fields.ts'
import { form, refused } from '../page.ts'
import { EVERYONE, ROLES } from '../../accounts/roles.ts'
import type { Page, Visit } from '../page.ts'

export const password: Page = {
  path: '/password',
  title: 'Your password',
  entry: { group: 'Business', label: 'Your password' },
  roles: EVERYONE,
  show: (visit) => <Password {...visit} />,
  forms: {
    change: form(
      EVERYONE,
      z.object({
        current: z
          .string()
          .refine((text) => text !== '', 'Current password is required.')
          .refine((text) => text.length <= PASSWORD_LENGTH.max, 'Current password is wrong.'),
        wanted: newPassword('New password'),
        again: z.string(),
      }),
      ({ world, user }, { current, wanted, again }) => {
        const minutes = world.attempts.minutesUntilNext(user.email)
        if (minutes > 0)
          return refused('current', `Current password: too many were wrong. Try again in ${minutes} minutes.`)
        if (!world.users.check(user.email, current)) {
          world.attempts.addFailure(user.email)
          return refused('current', 'Current password is wrong.')
        }
        if (wanted !== again)
          return refused('again', 'New password, again, is not the same as the new password.')
        world.users.setPassword(user, wanted)
        world.signIns.endAllOf(user.email)
        return { to: '/sign-in', notice: 'Your password was changed. Sign in with it.' }
      },
    ),
  },
}

function Password(visit: Visit) {
  const change = visit.form('change')
  const { user } = visit
  return (
    <section class="card">
      <h2>{user.email}</h2>
      <p>
        You are {user.role}, who {ROLES[user.role]}. A new password ends all your sign-ins.
      </p>
      <Form of={change} submit="Change the password">
        <TextField
          of={change}
          name="current"
          label="Current password"
          type="password"
          autocomplete="current-password"
        />
        <TextField
          of={change}
          name="wanted"
          label="New password"
          type="password"
          autocomplete="new-password"
          hint={`At least ${PASSWORD_LENGTH.min} characters.`}
        />
        <TextField
          of={change}
          name="again"
          label="New password, again"
          type="password"
          autocomplete="new-password"
        />
      </Form>
    </section>
  )
}
