/** The business dictionary of the company. */
import { dictbiz } from '@/api/nouns/dictbiz';
import { Dictionaries } from '@/screens/shared/Dictionaries';
import { useTenantChoice } from '@/screens/shared/tenantChoice';

export default function BusinessDictionaries() {
  const { tenantId, picker } = useTenantChoice();
  return (
    <Dictionaries key={tenantId} noun={dictbiz} arrangement="beside" tenantId={tenantId} picker={picker} />
  );
}
