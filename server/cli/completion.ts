/** The command `completion`, which prints a script that completes commands and options in a shell. */

import type { Command } from 'commander'
import type { Shell } from './shell.ts'
import { Argument } from 'commander'
import { addCommand } from './command.ts'

const NAME = 'gateway-checkout-server'

/** A command with its words from the program's name, such as `payouts send`, and what may follow. */
interface Node {
  path: string
  commands: readonly { name: string; description: string }[]
  options: readonly { long: string; description: string }[]
}

const SCRIPTS = { bash, zsh, fish } as const
type ShellName = keyof typeof SCRIPTS

export function addCompletion(program: Command, shell: Shell): void {
  addCommand(
    program,
    'completion',
    'print a script that completes commands and options in a shell',
    'completion bash >> ~/.bashrc',
    'completion zsh >> ~/.zshrc',
    'completion fish > ~/.config/fish/completions/gateway-checkout-server.fish',
  )
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .action((name: ShellName) => shell.print(SCRIPTS[name](nodesOf(program))))
}

function nodesOf(command: Command, path: readonly string[] = []): Node[] {
  const commands = command.commands.map((each) => ({ name: each.name(), description: each.description() }))
  const options = command.options.flatMap(({ long, description }) => (long ? [{ long, description }] : []))
  return [
    { path: path.join(' '), commands, options },
    ...command.commands.flatMap((each) => nodesOf(each, [...path, each.name()])),
  ]
}

function bash(nodes: readonly Node[]): string {
  const cases = nodes.map(({ path, commands, options }) => {
    const words = [...commands.map(({ name }) => name), ...options.map(({ long }) => long), '--help']
    const pattern = path === '' || commands.length > 0 ? `'${path}'` : `'${path}'|'${path} '*`
    return `    ${pattern}) words='${words.join(' ')}' ;;`
  })
  return [
    '_gateway_checkout_server() {',
    '  local path="${COMP_WORDS[1]} ${COMP_WORDS[2]}" words=""',
    '  [ "$COMP_CWORD" -eq 1 ] && path=""',
    '  [ "$COMP_CWORD" -eq 2 ] && path="${COMP_WORDS[1]}"',
    '  case "$path" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    `complete -o default -F _gateway_checkout_server ${NAME}`,
  ].join('\n')
}

function zsh(nodes: readonly Node[]): string {
  return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash(nodes)}`
}

function fish(nodes: readonly Node[]): string {
  return nodes
    .flatMap(({ path, commands, options }) => {
      const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
      const names = commands.map(({ name }) => name).join(' ')
      const here =
        path === ''
          ? '__fish_use_subcommand'
          : [...seen, `not __fish_seen_subcommand_from ${names}`].join('; and ')
      return [
        ...commands.map(({ name, description }) => `-n '${here}' -f -a '${name}' -d ${quoted(description)}`),
        ...(path === '' ? [] : options).map(
          ({ long, description }) =>
            `-n '${seen.join('; and ')}' -l ${long.slice(2)} -d ${quoted(description)}`,
        ),
      ]
    })
    .map((line) => `complete -c ${NAME} ${line}`)
    .join('\n')
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
}
