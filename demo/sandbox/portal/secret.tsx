interface NewSecretProps {
  what: string
  secret: string
}

/** Shows a new key or password. It is stored as a hash only, so it cannot be shown again. */
export function NewSecret({ what, secret }: NewSecretProps) {
  return (
    <section class="card secret" aria-labelledby="secret">
      <h2 id="secret">{what}</h2>
      <pre>{secret}</pre>
      <p>Copy it now: it is shown this once, and stored as a hash.</p>
    </section>
  )
}
