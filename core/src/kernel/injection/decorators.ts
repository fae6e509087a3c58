import 'reflect-metadata';

/**
 * The decorators of dependency injection, from the copy of tsyringe that the kernel itself uses: a class that another
 * copy decorated is unknown to the kernel's containers.
 */
export { inject, injectable } from 'tsyringe';
