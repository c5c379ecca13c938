// Card in place of a premium chart, with a link to the plans.
import { Link } from 'react-router'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { LockIcon } from '#web/ui/icon.ts'
import { ChartCard } from './chart-card.tsx'

export function LockedCard({ onWantPremium, freeChart }: { readonly onWantPremium: () => void; readonly freeChart: string }) {
  return (
    <ChartCard icon={<LockIcon className="size-5" strokeWidth={1.5} />} title={marketText.premiumRequired} text={marketText.lockedBody}>
      <Button onClick={onWantPremium}>{marketText.seePremium}</Button>
      <Link to={freeChart} className={buttonClass('outline')}>
        {marketText.openFreeChart}
      </Link>
    </ChartCard>
  )
}
