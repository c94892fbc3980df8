/** What a deployment changes: the difference to the version in force, and who is affected. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { useCan, useIsPlatform } from '@/session/rights';
import { type Counts, countDifferences } from '../compare/count';

const KINDS = ['added', 'removed', 'changed', 'moved'] as const;
/** So many versions are asked for; older ones run no more. */
const MOST = 200;

interface ImpactProps {
  draftId: string;
  modelKey: string;
  /** The draft as it is stored. */
  xml: string;
}

function useImpact({ modelKey, xml }: ImpactProps) {
  const mayLook = useCan('flow_manager_view');
  return useQuery({
    queryKey: ['flow', 'impact', modelKey, xml],
    gcTime: 0,
    enabled: mayLook,
    queryFn: async ({ signal }) => {
      const asked = { key: modelKey, current: 1, size: MOST };
      const { records } = await api.get('/blade-flow/manager/versions', asked, signal);
      const inForce = records.find((row) => row.isInForce);
      const running = records.reduce((sum, row) => sum + row.running, 0);
      if (!inForce) return { running };
      const { xml: before } = await api.get('/blade-flow/manager/detail', { processId: inForce.id }, signal);
      return { running, inForce, counts: await countDifferences(before, xml) };
    },
  });
}

function comparison(key: string, draftId: string, deployedId: string): string {
  const query = { key, from: `deployed:${deployedId}`, to: 'draft', draft: draftId };
  return `/flow/model/compare?${new URLSearchParams(query)}`;
}

export function Impact(props: ImpactProps) {
  const { t } = useTranslation();
  const isPlatform = useIsPlatform();
  const { data } = useImpact(props);
  if (!data) return null;
  const { inForce, counts, running } = data;
  const told = (counts: Counts) =>
    KINDS.filter((kind) => counts[kind] > 0)
      .map((kind) => `${t(`compare.kind.${kind}`)} ${counts[kind]}`)
      .join(t('compare.gap'));
  return (
    <ul className="x-impact">
      {!inForce && <li>{t('flow.deploy.first')}</li>}
      {inForce && counts && (
        <li>
          {told(counts) ? (
            <>
              {t('flow.deploy.change', { n: inForce.version, what: told(counts) })}{' '}
              <Link to={comparison(props.modelKey, props.draftId, inForce.id)} target="_blank">
                {t('flow.deploy.look')}
              </Link>
            </>
          ) : (
            t('flow.deploy.same', { n: inForce.version })
          )}
        </li>
      )}
      {running > 0 && <li>{t('flow.deploy.stay', { count: running })}</li>}
      {inForce && !inForce.tenantId && !isPlatform && <li>{t('flow.deploy.leaves')}</li>}
    </ul>
  );
}
