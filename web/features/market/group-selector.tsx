// The asset groups: choosing one goes to its first instrument. A row of links where there is room, a select on small screens.
import { Link, useNavigate } from 'react-router'
import { chartPathOf, groups, menuOf, type Group } from '#shared/market/instruments.ts'
import { marketText } from '#shared/text/en/market.ts'
import { classes } from '#web/lib/classes.ts'
import { ChevronDownIcon } from '#web/ui/icon.ts'

export interface GroupSelectorProps {
  readonly current: Group
  readonly search: string
}

export function GroupLinks({ current, search }: GroupSelectorProps) {
  return (
    <nav aria-label={marketText.group} className="flex h-full shrink-0 items-center gap-0.5">
      {groups.map((group) => (
        <Link
          key={group}
          to={firstPathOf(group) + search}
          aria-current={group === current ? 'true' : undefined}
          className={classes(
            'flex h-5.5 items-center rounded-control px-2 text-11 font-semibold tracking-wide transition-colors hover:text-text pointer-coarse:h-9',
            group === current ? 'bg-hover text-text' : 'text-text-3',
          )}
        >
          {group}
        </Link>
      ))}
    </nav>
  )
}

export function GroupSelect({ current, search }: GroupSelectorProps) {
  const navigate = useNavigate()
  return (
    <div className="relative flex h-full shrink-0 items-center">
      <select
        aria-label={marketText.group}
        value={current}
        onChange={(event) => {
          const group = groups.find((name) => name === event.target.value)
          if (group !== undefined) void navigate(firstPathOf(group) + search)
        }}
        className="h-full appearance-none rounded-control bg-transparent pr-6 pl-3 text-12 font-semibold text-text"
      >
        {groups.map((group) => (
          <option key={group} value={group} className="bg-raised text-text">
            {group}
          </option>
        ))}
      </select>
      <ChevronDownIcon aria-hidden className="pointer-events-none absolute right-1 size-4 text-text-3" strokeWidth={1.5} />
    </div>
  )
}

function firstPathOf(group: Group): string {
  const [first] = menuOf(group)
  return first === undefined ? '/' : chartPathOf(first)
}
