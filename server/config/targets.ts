/** Decides to which hosts this server may send requests. Pure. */

/** The hosts to which requests are sent even at private IP addresses: all hosts (`any`), or only the listed hosts. */
export type PrivateHosts = 'any' | readonly string[]

export function mayBePrivate(privateHosts: PrivateHosts, hostname: string): boolean {
  return privateHosts === 'any' || privateHosts.includes(hostname)
}
