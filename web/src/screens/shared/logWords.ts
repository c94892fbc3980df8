/** The acts of the log in words: `repairorder.dispatch` is the server's name for it, not anybody's else. */
import { useTranslation } from '@/i18n';

export function useLogWords() {
  const { t, i18n } = useTranslation();
  /** The first of the keys that the catalogue has. The server may know acts that are newer than this console. */
  const first = (...keys: string[]): string | undefined => {
    const key = keys.find((each) => i18n.exists(each));
    return key && t(key as 'kit.more');
  };
  const business = (name: string): string => first(`log.business.${name}`) ?? name;
  return {
    business,
    /** "Repair order · Dispatch" */
    act: (operation: string): string => {
      const [what = '', verb = ''] = operation.split('.');
      const word = first(`log.own.${what}.${verb}`, `log.verb.${verb}`);
      return word ? `${business(what)} · ${word}` : operation;
    },
    /** "Edit", where it is clear of what. */
    verb: (operation: string): string => {
      const [what = '', verb = ''] = operation.split('.');
      return first(`log.own.${what}.${verb}`, `log.verb.${verb}`) ?? operation;
    },
    outcome: (name: string): string => first(`log.outcome.${name}`, `log.own.repairorder.${name}`) ?? name,
    client: (name: string): string => first(`log.client.${name}`) ?? name,
  };
}
