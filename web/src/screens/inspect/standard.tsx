/** The form of a check standard, a page of its own. */
import { useTranslation } from '@/i18n';
import { PlainStandardField, StandardPage } from '@/screens/shared/standards/StandardForm';

const FIELDS = ['configCode', 'configName', 'typeId', 'needCheck', 'needSign', 'isSealed', 'remark'] as const;

export default function CheckStandardPage() {
  const { t } = useTranslation();
  return (
    <StandardPage
      list="/inspect/config"
      title={(isNew) => t(isNew ? 'inspect.standard.add' : 'inspect.standard.edit')}
      initial={{ configType: 1, needCheck: 0, needSign: 0, isSealed: 0 }}
      fields={FIELDS.map((name) => <PlainStandardField key={name} name={name} />)}
      touches={[['inspectpoint'], ['inspectgroup']]}
    />
  );
}
