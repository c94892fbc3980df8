/** The way to a new report, for who may make one. */
import { Button } from 'antd';
import { Link } from 'react-router';
import { useTranslation } from '@/i18n';
import { REPORT } from '@/screens/shared/orders';
import { useCan } from '@/session/rights';

export function ReportButton({ large }: { large?: boolean }) {
  const { t } = useTranslation();
  if (!useCan('repairorder_add')) return null;
  return (
    <Link to={REPORT}>
      <Button type="primary" size={large ? 'large' : undefined} tabIndex={-1}>
        {t('app.pages.report')}
      </Button>
    </Link>
  );
}
