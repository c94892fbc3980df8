/** The form as people will see it, to be tried: on a desk or on a phone. Nothing is sent. */
import { Button, Form } from 'antd';
import { useTranslation } from '@/i18n';
import { DrawnFields } from '../../forms/DrawnFields';
import { initialOf, type Schema, type Values } from '../../forms/schema';
import { Tried } from '../../forms/TriedFiles';
import { drawable } from './drawable';

export function Preview({ schema, isPhone }: { schema: Schema; isPhone: boolean }) {
  const { t } = useTranslation();
  const [form] = Form.useForm<Values>();
  const shown = { components: drawable(schema.components) };
  return (
    <div className={isPhone ? 'x-form-preview x-form-phone' : 'x-form-preview'}>
      <Form form={form} layout="vertical" requiredMark initialValues={initialOf(shown, {})}>
        <div className={isPhone ? 'x-form' : 'x-form x-form-two'}>
          <Tried value={true}>
            <DrawnFields schema={shown} known={{}} />
          </Tried>
        </div>
        <Button onClick={() => form.validateFields().catch(() => undefined)}>{t('panel.form.try')}</Button>
        <Button type="text" onClick={() => form.resetFields()}>
          {t('panel.form.reset')}
        </Button>
      </Form>
    </div>
  );
}
