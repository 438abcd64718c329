"""What has changed from 2017 to today's LLMs."""
