/** How what runs of a model stands: figures that lead to the processes they count. */
import { Link } from 'react-router';
import { useTranslation } from '@/i18n';
import { useCanOpen } from '@/session/rights';
import { followPath } from './queries';

interface CountProps {
  n: number;
  model: { key: string; processId?: string };
  only?: 'overdue' | 'parked';
}

/** A figure alone, where its column says what it counts. */
export function Count({ n, model, only }: CountProps) {
  const may = useCanOpen('/flow/follow');
  const tone = n > 0 && only ? (only === 'parked' ? 'x-text-bad' : 'x-text-waiting') : undefined;
  if (n === 0 || !may) return <span className={tone}>{n}</span>;
  return (
    <Link className={tone} to={followPath(model, only)} onClick={(event) => event.stopPropagation()}>
      {n.toLocaleString()}
    </Link>
  );
}

interface CountsProps {
  row: { running: number; overdue: number; failed: number };
  model: CountProps['model'];
}

/** All three in words. */
export function Counts({ row, model }: CountsProps) {
  const { t } = useTranslation();
  return (
    <span className="x-counts">
      <span>
        {t('flow.running')} <Count n={row.running} model={model} />
      </span>
      <span>
        {t('flow.overdue')} <Count n={row.overdue} model={model} only="overdue" />
      </span>
      <span>
        {t('flow.failed')} <Count n={row.failed} model={model} only="parked" />
      </span>
    </span>
  );
}
