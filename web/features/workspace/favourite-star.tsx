// Favourite star of an instrument; favourites are stored in the account.
import type { Instrument } from '#shared/instruments/instruments.ts'
import { workspaceText } from '#shared/workspace/text/en.ts'
import { cn } from '#web/lib/cn.ts'
import { changePreferences, usePreferences } from '#web/lib/preferences.ts'
import { StarIcon } from '#web/ui/icon.ts'

export interface FavouriteStarProps {
  readonly instrument: Pick<Instrument, 'slug' | 'label'>
  readonly className?: string
}

/** Faint until it is a favourite, or its group (a `group/row` around it) is hovered or focused. */
export function FavouriteStar({ instrument, className }: FavouriteStarProps) {
  const { slug, label } = instrument
  const isLoaded = usePreferences((preferences) => preferences.isLoaded)
  const isOn = usePreferences(({ workspace }) => workspace.favourites.includes(slug))
  const text = isOn ? workspaceText.removeFavourite(label) : workspaceText.addFavourite(label)
  return (
    <button
      type="button"
      aria-pressed={isOn}
      aria-label={text}
      title={text}
      disabled={!isLoaded}
      onClick={() => toggleFavourite(slug)}
      className={cn(
        'grid shrink-0 place-items-center rounded-control transition-opacity focus-visible:opacity-100 focus-visible:-outline-offset-2',
        isOn
          ? 'text-warn'
          : 'text-text-3 opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100',
        className,
      )}
    >
      <StarIcon aria-hidden className={cn('size-3', isOn && 'fill-current')} strokeWidth={1.5} />
    </button>
  )
}

function toggleFavourite(slug: string): void {
  changePreferences((before) => {
    const isOn = before.favourites.includes(slug)
    return { ...before, favourites: isOn ? before.favourites.filter((other) => other !== slug) : [...before.favourites, slug] }
  })
}
