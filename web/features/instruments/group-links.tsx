// Asset group selector: a row of links, or a select on small screens; choosing a group opens its first instrument.
import { Link, useNavigate } from 'react-router'
import { chartPathOf, groups, menuOf, type Group } from '#shared/instruments/instruments.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { cn } from '#web/lib/cn.ts'
import { useHiddenInstruments } from './api.ts'
import { ChevronDownIcon } from '#web/ui/icon.ts'

interface GroupLinksProps {
  /** Group of the chart on the screen; charts outside the menu have none. */
  readonly current: Group | undefined
  readonly search: string
}

interface GroupSelectProps {
  /** Group whose instruments are shown. */
  readonly current: Group
  readonly search: string
}

export function GroupLinks({ current, search }: GroupLinksProps) {
  const hidden = useHiddenInstruments()
  return (
    <nav aria-label={marketText.group} className="flex h-full shrink-0 items-center gap-0.5">
      {groupsOf(hidden).map((group) => (
        <Link
          key={group}
          to={firstPathOf(group, hidden) + search}
          aria-current={group === current ? 'true' : undefined}
          className={cn(
            'flex h-5.5 items-center rounded-control px-2 text-11 font-semibold tracking-wide transition-colors hover:text-text pointer-coarse:h-9',
            group === current ? 'bg-hover text-text' : 'text-text-3',
          )}
        >
          {marketText.groups[group]}
        </Link>
      ))}
    </nav>
  )
}

export function GroupSelect({ current, search }: GroupSelectProps) {
  const navigate = useNavigate()
  const hidden = useHiddenInstruments()
  return (
    <div className="relative flex h-full shrink-0 items-center">
      <select
        aria-label={marketText.group}
        value={current}
        onChange={(event) => {
          const group = groups.find((name) => name === event.target.value)
          if (group !== undefined) void navigate(firstPathOf(group, hidden) + search)
        }}
        className="h-full appearance-none rounded-control bg-transparent pr-6 pl-3 text-12 font-semibold text-text"
      >
        {groupsOf(hidden).map((group) => (
          <option key={group} value={group} className="bg-raised text-text">
            {marketText.groups[group]}
          </option>
        ))}
      </select>
      <ChevronDownIcon aria-hidden className="pointer-events-none absolute right-1 size-4 text-text-3" strokeWidth={1.5} />
    </div>
  )
}

function firstPathOf(group: Group, hidden: ReadonlySet<string>): string {
  const [first] = menuOf(group, hidden)
  return first === undefined ? '/' : chartPathOf(first)
}

/** Omits groups whose instruments are all hidden. */
function groupsOf(hidden: ReadonlySet<string>): readonly Group[] {
  return groups.filter((group) => menuOf(group, hidden).length > 0)
}
