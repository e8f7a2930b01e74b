import { Form, TextField } from './form.tsx'
import { ROLES } from '../accounts/roles.ts'
import { SEEDED_PASSWORD } from '../accounts/users.ts'
import type { FormState } from './form.tsx'
import type { User } from '../accounts/users.ts'

interface SignInProps {
  form: FormState
  /** Where the user is led after the sign-in. */
  next: string
  /** Users whose password is shown, in the sandbox. */
  hinted: readonly User[]
}

export function SignIn({ form, next, hinted }: SignInProps) {
  const [first] = hinted
  return (
    <>
      <section class="card">
        <Form of={form} submit="Sign in" hidden={{ next }}>
          <TextField
            of={form}
            name="email"
            label="E-mail address"
            type="email"
            autocomplete="username"
            value={first?.email ?? ''}
          />
          <TextField
            of={form}
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
          />
        </Form>
      </section>
      {first === undefined ? null : (
        <section class="card">
          <h2>Users of the sandbox</h2>
          <p>
            The password of each is <code>{SEEDED_PASSWORD}</code>.
          </p>
          <dl class="facts">
            {hinted.map(({ email, role }) => (
              <div>
                <dt>
                  <code>{email}</code>
                </dt>
                <dd>{ROLES[role]}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  )
}
