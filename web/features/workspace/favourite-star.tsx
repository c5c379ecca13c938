// The star of an instrument: a favourite of the account, on all its devices.
import type { Instrument } from '#shared/market/instruments.ts'
import { workspaceText } from '#shared/text/en/workspace.ts'
import { classes } from '#web/lib/classes.ts'
import { StarIcon } from '#web/ui/icon.ts'
import { changeWorkspace, useWorkspace } from './workspace-store.ts'

export interface FavouriteStarProps {
  readonly instrument: Pick<Instrument, 'slug' | 'label'>
  readonly className?: string
}

/** Quiet until it is a favourite, or its group (a `group/row` around it) is pointed at or holds the focus. */
export function FavouriteStar({ instrument, className }: FavouriteStarProps) {
  const { workspace, isLoaded } = useWorkspace()
  const { slug, label } = instrument
  const isOn = workspace.favourites.includes(slug)
  const text = isOn ? workspaceText.removeFavourite(label) : workspaceText.addFavourite(label)
  return (
    <button
      type="button"
      aria-pressed={isOn}
      aria-label={text}
      title={text}
      disabled={!isLoaded}
      onClick={() => toggleFavourite(slug)}
      className={classes(
        'grid shrink-0 place-items-center rounded-control transition-opacity focus-visible:opacity-100 focus-visible:-outline-offset-2',
        isOn
          ? 'text-warn'
          : 'text-text-3 opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100',
        className,
      )}
    >
      <StarIcon aria-hidden className={classes('size-3', isOn && 'fill-current')} strokeWidth={1.5} />
    </button>
  )
}

function toggleFavourite(slug: string): void {
  changeWorkspace((before) => {
    const isOn = before.favourites.includes(slug)
    return { ...before, favourites: isOn ? before.favourites.filter((other) => other !== slug) : [...before.favourites, slug] }
  })
}
